#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh fails for a changed header, and allows additions. Arguments: the C compiler, the header, the library.
set -eu
header=$2
here=$(dirname "$0")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tesela"
changed=$work/tesela/tesela.h

# $1: allowed or refused; $2: a change, as a command of sed
expect() {
  sed "$2" "$header" > "$changed"
  if cmp -s "$header" "$changed"; then echo "no line for $2"; exit 1; fi
  found=refused
  if "$here/abi.sh" "$cc" "$changed" "$library" > "$work/output" 2>&1; then found=allowed; fi
  if [ "$found" != "$1" ]; then echo "$found: $2"; cat "$work/output"; exit 1; fi
}

cc=$1
library=$3
expect allowed 's/^TESELA_API const char. tesela_version(void);/&\nTESELA_API int tesela_new(int x);/'
expect allowed 's/TESELA_FILE_JPEG = 5/&, TESELA_FILE_NEW = 6/'
expect allowed 's/TESELA_FLOAT = 1,/&TESELA_NEW = 40,/'
expect refused '/^TESELA_API void tesela_plan_cache_clear/d'
expect refused 's/tesela_plan_cache_clear(tesela_plan_cache\* cache)/tesela_plan_cache_clear(int cache)/'
expect refused 's/^TESELA_API int32_t tesela_dtype_bits/TESELA_API int64_t tesela_dtype_bits/'
expect refused 's/^  int64_t bit_offset;/  int32_t bit_offset;/'
expect refused 's/^  uint64_t length;.*/&\n  uint64_t more;/'
expect refused 's/^  int32_t jpeg_quality;.*/&\n  int32_t more;/'
expect refused 's/char message\[304\]/char message[312]/'
expect refused 's/ERROR_LIMIT, 12,/ERROR_LIMIT, 22,/'
expect refused 's/TESELA_FLOAT = 1,/TESELA_FLOAT = 31,/'
expect refused 's/TESELA_TEXT_JSON = 1/TESELA_TEXT_JSON = 3/'
