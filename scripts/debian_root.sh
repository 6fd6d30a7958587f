#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a minimal Debian system in a folder, unless there is one. Needs root. Arguments: the suite, the folder, more packages
# separated by commas.
set -euo pipefail
suite=$1
root=$(realpath -m "$2")
[ ! -e "$root/complete" ] || exit 0

echo "setup: making a minimal Debian ($suite) in $root"
mirror=$("$(dirname "$0")/debian_mirror.sh")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf "$root"
mkdir -p "${root%/*}"
debootstrap --variant=minbase ${3:+--include="$3"} "$suite" "$root" "$mirror" > "$log" 2>&1 || { tail "$log" >&2; exit 1; }
touch "$root/complete"
