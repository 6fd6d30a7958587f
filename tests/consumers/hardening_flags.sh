#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every source file of a release build is compiled with the flags of cmake/Flags.cmake that harden it.
# Arguments: compile_commands.json, the folder of the project.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file stands for itself or in a group of CMake's.
grep '"command"' "$1" | grep -E -- "-c ($2/(src|apps|plugins)/|[^ ]*/tesela_(core|models|cli|words).dir/Unity/)" > "$work/commands"
grep -qF tesela_core "$work/commands"
for flag in -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -ffp-contract=off; do
  if [ "$flag" = -fcf-protection=full ] && [ "$(uname -m)" != x86_64 ]; then continue; fi
  if grep -vF -- " $flag " "$work/commands"; then echo "compiled without $flag"; exit 1; fi
done
# Files of strangers are read with checked containers.
grep -F -- "-o CMakeFiles/tesela_models.dir/" "$work/commands" > "$work/models"
if grep -vF -- "-D_GLIBCXX_ASSERTIONS" "$work/models"; then
  echo "compiled without checked containers"
  exit 1
fi
