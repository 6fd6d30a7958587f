#!/usr/bin/env bash
# Every source states its licence in one line, as SPDX defines it. Adds that line to sources without it; with --check it lists them
# and fails. The line is the first, or follows the line that names an interpreter. A commit of its own, which
# .git-blame-ignore-revs lists, keeps it out of `git blame`.
set -euo pipefail
cd "$(dirname "$0")/.."
line="SPDX-License-Identifier: Apache-2.0"
check=${1:-}

sources() {
  git ls-files --cached --others --exclude-standard -z -- '*.c' '*.cc' '*.h' '*.hpp' '*.def' '*.map' '*.py' '*.pyi' '*.sh' '*.cmake' \
    '*CMakeLists.txt' Makefile packaging/debian/rules ':!python/tesela/_core.pyi'  # made by nanobind
}

missing=0
while IFS= read -r -d '' file; do
  if [ ! -s "$file" ] || grep -qF "$line" "$file"; then continue; fi
  if [ "$check" = --check ]; then
    echo "no licence: $file"
    missing=1
    continue
  fi
  case $file in
    *.c | *.map) comment="/* $line */" ;;
    include/tesela/tesela.h) comment="/* $line */" ;;
    *.cc | *.h | *.hpp | *.def) comment="// $line" ;;
    *) comment="# $line" ;;
  esac
  at=1
  if head -n 1 "$file" | grep -q '^#!'; then at=2; fi
  { head -n $((at - 1)) "$file"; echo "$comment"; tail -n "+$at" "$file"; } > "$file.spdx"
  cat "$file.spdx" > "$file"  # keeps its permissions
  rm "$file.spdx"
done < <(sources)
exit $missing
