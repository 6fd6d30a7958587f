#!/bin/sh
# The shared library shows exactly the functions that the header declares, and has a name with a version.
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

readelf --dynamic --wide "$library" | grep -q 'SONAME.*libtesela\.so\.[0-9]' || { echo "no soname with a version"; exit 1; }
