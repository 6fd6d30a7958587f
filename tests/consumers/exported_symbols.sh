#!/bin/sh
# The shared library shows exactly the functions that the header declares, and is linked with care.
# Arguments: the library, the header.
set -eu
library=$1
header=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$library" | awk '{ print $NF }' | sort > "$work/exported"
# A declaration starts with TESELA_API; its name is the word before the first parenthesis.
sed -n 's/^TESELA_API [^(]*\(tesela_[a-z0-9_]*\)(.*/\1/p' "$header" | sort > "$work/declared"
[ -s "$work/declared" ]
if ! diff "$work/declared" "$work/exported" > "$work/difference"; then
  echo "declared (<) against exported (>):"
  cat "$work/difference"
  exit 1
fi

readelf --dynamic --program-headers --wide "$library" > "$work/elf"
grep -q 'GNU_RELRO' "$work/elf" || { echo "no RELRO"; exit 1; }
grep -q 'Flags:.*NOW' "$work/elf" || { echo "symbols are bound lazily"; exit 1; }
if grep -q 'TEXTREL' "$work/elf"; then echo "text relocations"; exit 1; fi
if grep 'GNU_STACK' "$work/elf" | grep -q 'RWE'; then echo "executable stack"; exit 1; fi
grep -q 'SONAME.*libtesela\.so\.[0-9]' "$work/elf" || { echo "no soname with a version"; exit 1; }

if [ "$(uname -m)" = x86_64 ] && ! readelf --notes "$library" | grep -q 'SHSTK'; then echo "no mark for shadow stacks"; exit 1; fi
