#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shared library shows exactly the functions that the header declares, in one version, and is named by that version.
# Arguments: the library, the header, the file VERSION.
set -eu
library=$1
header=$2
version=$(cat "$3")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Before 1.0 a minor version may change the interface.
case $version in
  0.*) interface=${version%.*} ;;
  *) interface=${version%%.*} ;;
esac
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $NF }' | sort > "$work/exported"
# A declaration starts with TESELA_API; its name is the word before the first parenthesis.
sed -n "s/^TESELA_API [^(]*\(tesela_[a-z0-9_]*\)(.*/\1@@TESELA_$interface/p" "$header" | sort > "$work/declared"
[ -s "$work/declared" ]
if ! diff "$work/declared" "$work/exported" > "$work/difference"; then
  echo "declared (<) against exported (>):"
  cat "$work/difference"
  exit 1
fi

soname=$(readelf --dynamic --wide "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
if [ "$soname" != "libtesela.so.$interface" ]; then
  echo "the soname is '$soname'; expected libtesela.so.$interface of VERSION $version"
  exit 1
fi
