#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts CBMC, the model checker of C, into a folder, unless it is there. Debian 12 does not have it, so it comes from the suite
# trixie. It needs newer libraries than the system's, so the programs in the folder run with their loader. Argument: the folder.
set -euo pipefail
folder=$1
packages=(cbmc libc6 libgcc-s1 libstdc++6 minisat)
if [ -x "$folder/cbmc" ] && "$folder/cbmc" --version > /dev/null 2>&1; then
  exit 0
fi

echo "setup: fetching CBMC"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/unpack_from_suite.sh" trixie "$work" "${packages[@]}"
rm -rf "$folder"
mkdir -p "$folder/lib"
find "$work" -name 'lib*.so*' -path '*/lib/*' ! -path '*/gconv/*' -exec cp -L {} "$folder/lib/" \;
cp -L "$(find "$work" -name 'ld-linux-*.so*' | sed -n 1p)" "$folder/lib/loader"
for program in cbmc goto-cc goto-instrument; do
  cp "$work/usr/bin/$program" "$folder/lib/"
  printf '#!/bin/sh\nlib=$(dirname "$(readlink -f "$0")")/lib\nexec "$lib/loader" --library-path "$lib" "$lib/%s" "$@"\n' \
    "$program" > "$folder/$program"
  chmod +x "$folder/$program"
done
if ! "$folder/cbmc" --version > /dev/null; then
  echo "setup: CBMC does not run" >&2
  exit 1
fi
