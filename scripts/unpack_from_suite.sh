#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks packages of another suite of Debian into a folder. They are not installed, and the system's package lists are not
# changed. Arguments: the suite, the folder, the packages. TESELA_ARCHITECTURE: another architecture than this machine's, which
# packages name, such as libc6:arm64.
set -euo pipefail
suite=$1
folder=$2
packages=("${@:3}")

fail() {
  echo "setup: $1, so these packages of $suite could not be fetched: ${packages[*]}" >&2
  exit 1
}

mirror=$("$(dirname "$0")/debian_mirror.sh")
[ -n "$mirror" ] || fail "apt has no source of Debian's packages"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources.list.d" "$folder"
printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
  "$mirror" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg > "$work/sources.list.d/$suite.sources"
apt() {
  apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User=root \
    ${TESELA_ARCHITECTURE:+-o "APT::Architectures::=$TESELA_ARCHITECTURE"} \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="$work/sources.list.d" "$@" < /dev/null
}
if ! { apt update && (cd "$work" && apt download "${packages[@]/%//$suite}"); } > "$work/log" 2>&1; then
  cat "$work/log" >&2
  fail "apt failed"
fi
for package in "$work"/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
