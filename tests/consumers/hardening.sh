#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How libraries and programs are linked and compiled. Arguments: the files.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in "$@"; do
  fail() { echo "$file: $1"; exit 1; }
  readelf --file-header --dynamic --program-headers --wide "$file" > "$work/elf"
  grep -q 'Type: *DYN' "$work/elf" || fail "its addresses are fixed"
  if grep -q ' INTERP ' "$work/elf"; then grep -q 'Flags:.*PIE' "$work/elf" || fail "not position-independent"; fi
  grep -q 'GNU_RELRO' "$work/elf" || fail "no RELRO"
  grep -q 'Flags:.*NOW' "$work/elf" || fail "symbols are bound lazily"
  if grep -q 'TEXTREL' "$work/elf"; then fail "text relocations"; fi
  grep -q 'GNU_STACK.* RW  ' "$work/elf" || fail "executable stack"
  if grep -q 'LOAD.* RWE ' "$work/elf"; then fail "memory to write and execute"; fi
  # Libraries are looked for beside the file alone.
  if grep -E '\((RPATH|RUNPATH)\)' "$work/elf" | grep -qvE '\[\$ORIGIN(:\$ORIGIN/[^:]*)?\]'; then fail "looks for libraries elsewhere"; fi

  nm -D --undefined-only "$file" > "$work/used"
  grep -q '__stack_chk_fail' "$work/used" || fail "no stack protector"
  if [ "$(uname -m)" = x86_64 ]; then
    readelf --notes "$file" | grep -q 'SHSTK' || fail "no mark for shadow stacks"
    # Where a function can be called through a pointer, it begins with a landing pad for indirect branches.
    nm -D --defined-only "$file" | awk '$2 == "T" { print $1, $3 }' | head -n 5 | while read -r address function; do
      objdump --disassemble --start-address="0x$address" --stop-address="$((0x$address + 4))" "$file" | grep -q endbr64 ||
        fail "$function has no landing pad"
    done
  fi
done
