#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command, unless it has succeeded before with the same files: long targets continue where they were interrupted.
# Documents do not count, since figures are written into them. `rm -r build/once` forgets what has succeeded.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! git rev-parse --git-dir > /dev/null 2>&1; then exec "$@"; fi

state() {
  git ls-files --stage -- . ':!docs'
  git diff -- . ':!docs'
  git ls-files --others --exclude-standard -z -- . ':!docs' | xargs -0 --no-run-if-empty sha256sum
  printf '%s\n' "$*" "${TESELA_CASES-}" "${TESELA_FIGURES-}"
}

stamp=$PWD/build/once/$(state "$@" | sha256sum | cut -c -32)
if [ -f "$stamp" ]; then
  echo "once: $(< "$stamp")"
  exit 0
fi

# The figures of a step that did not end are not kept.
figures=${TESELA_FIGURES-}
if [ -n "$figures" ]; then
  TESELA_FIGURES=$(mktemp -d)
  trap 'rm -rf "$TESELA_FIGURES"' EXIT
fi
begin=$SECONDS
"$@"
if [ -n "$figures" ]; then
  mkdir -p "$figures"
  for file in "$TESELA_FIGURES"/*.txt; do
    if [ -f "$file" ]; then cat "$file" >> "$figures/${file##*/}"; fi
  done
fi
mkdir -p "${stamp%/*}"
echo "done before, in $((SECONDS - begin)) s: $*" > "$stamp"
