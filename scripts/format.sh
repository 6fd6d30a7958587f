#!/usr/bin/env bash
# Formats the C++ and C files that git knows; with --check, says which are not formatted and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

options=(-i)
[ "${1:-}" != --check ] || options=(--dry-run -Werror)
git ls-files -z '*.cc' '*.h' '*.hpp' '*.c' | xargs -0 -n 20 -P "$(nproc)" clang-format "${options[@]}"
