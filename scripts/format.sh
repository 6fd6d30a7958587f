#!/usr/bin/env bash
# Formats the C++ and Python files that git knows; with --check, says which are not formatted and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t cpp < <(git ls-files '*.cc' '*.h' '*.hpp' '*.c')
mapfile -t python < <(git ls-files '*.py' '*.pyi')
if [ "${1:-}" = --check ]; then
  printf '%s\0' "${cpp[@]}" | xargs -0 -n 20 -P "$(nproc)" clang-format --dry-run -Werror
  .venv-lint/bin/ruff format --quiet --diff "${python[@]}"
else
  printf '%s\0' "${cpp[@]}" | xargs -0 -n 20 -P "$(nproc)" clang-format -i
  .venv-lint/bin/ruff format --quiet "${python[@]}"
fi
