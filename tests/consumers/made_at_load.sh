#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every static object of a function is made when the library is loaded, not by the first call: a child of a fork during
# another thread's first call would wait for that object for ever. Arguments: tesela_bytes_at_load, the library with its
# symbols.
set -eu
reader=$1
library=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A thread's own objects are made by that thread.
readelf --syms --wide --demangle "$library" | grep 'guard variable for' | awk '$4 != "TLS"' | sort -u > "$work/guards"
if [ ! -s "$work/guards" ]; then
  echo "no guard variables: the library has no symbols"
  exit 1
fi
awk '{ print $2 }' "$work/guards" | xargs "$reader" "$library" > "$work/bytes"
paste "$work/bytes" "$work/guards" | awk '$1 != 1' > "$work/late"
if [ -s "$work/late" ]; then
  echo "made by the first call:"
  sed 's/.*guard variable for //' "$work/late"
  exit 1
fi
