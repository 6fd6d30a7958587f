#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's Python for arm64 into a folder: its headers for cross-builds, and what runs under qemu-user.
# Arguments: the suite of Debian, the version of Python that it has, the folder.
set -euo pipefail
suite=$1
version=$2
folder=$3
[ ! -e "$folder/complete" ] || exit 0

rm -rf "$folder"
echo "setup: unpacking Python $version for arm64"
names=("libpython$version-dev" "libpython$version" "libpython$version-minimal" "libpython$version-stdlib" "python$version-minimal"
  libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8 libbz2-1.0 liblzma5 libuuid1)
TESELA_ARCHITECTURE=arm64 "$(dirname "$0")/unpack_from_suite.sh" "$suite" "$folder" "${names[@]/%/:arm64}"
[ -e "$folder/lib" ] || ln -s usr/lib "$folder/lib"
touch "$folder/complete"
