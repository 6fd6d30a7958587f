#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The header's functions, structs and constants are those of the baseline tesela.abi, or additions to them.
# A release build has no types to compare, so this compiles the header alone: a stub for each of its functions, with debug
# information. The library's functions have the same types, because their sources include the header, and the same
# names, by exported_symbols.sh.
# Arguments: the C compiler, the header, the library. Then --renew writes the baseline instead.
set -eu
cc=$1
header=$2
library=$3
baseline=$(dirname "$0")/tesela.abi
include=$(dirname "$(dirname "$header")")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cc" -E -P "$header" > "$work/header.c"
{
  echo '#include "tesela/tesela.h"'
  # A declaration begins with what TESELA_API stands for.
  awk 'BEGIN { RS = ";" } sub(/.*__attribute__\(\(visibility\("default"\)\)\)/, "") { print $0 " { __builtin_trap(); }" }' \
    "$work/header.c"
  # Structs and constants that no function names, such as elements of string tensors and types: variables of their size.
  sed -n 's/^typedef struct \(tesela_[a-z_]*\) {.*/\1 value_of_\1;/p' "$work/header.c"
  grep -oE 'TESELA_[A-Z0-9_]+ = [0-9]+' "$work/header.c" | sed 's/\(.*\) = .*/char value_of_\1[1 + \1];/'
} > "$work/stubs.c"
soname=$(readelf --dynamic --wide "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
(cd "$work" && "$cc" -std=c99 -g -O0 -fPIC -shared "-I$include" "-Wl,-soname,$soname" stubs.c -o stubs.so)

if [ "${4:-}" = --renew ]; then
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$work/stubs.so" --out-file "$baseline"
  exit 0
fi

grep -c 'binding=.global-binding' "$baseline" > /dev/null
# Members at the end of a struct with struct_size keep callers working, and are reported here all the same: they are looked
# at before the baseline is renewed.
abidiff --no-added-syms --no-architecture "$baseline" "$work/stubs.so"
