#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats all C++ and C files, those that are not in git yet, too. With --check, lists the files that are not formatted and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

options=(-i)
[ "${1:-}" != --check ] || options=(--dry-run -Werror)
git ls-files -z --cached --others --exclude-standard '*.cc' '*.h' '*.hpp' '*.c' | xargs -0 -n 20 -P "$(nproc)" clang-format "${options[@]}"
