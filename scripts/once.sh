#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command, unless it has succeeded before with the same files: long targets continue where they were interrupted.
# The figures that the command measures are kept with its success, and added to $TESELA_FIGURES each time.
# Documents do not count, since figures are written into them. With --no-tests first, files that only ctest, pytest,
# mutation testing or coverage reads do not count either: a new test does not repeat hours of fuzzing.
# `rm -r build/once` forgets what has succeeded.
set -euo pipefail
cd "$(dirname "$0")/.."
files=(. ':!docs' ':!CHANGELOG.md')
if [ "$1" = --no-tests ]; then
  shift
  files+=(':(exclude,glob)tests/**/*_test.cc' ':(exclude,glob)tests/**/test_*.py' ':!tests/mutation'
    ':!tests/reliability/uncovered.json')
fi
if ! git rev-parse --git-dir > /dev/null 2>&1; then exec "$@"; fi

state() {
  git ls-files --stage -- "${files[@]}"
  git diff -- "${files[@]}"
  git ls-files --others --exclude-standard -z -- "${files[@]}" | xargs -0 --no-run-if-empty sha256sum
  printf '%s\n' "$*" "${TESELA_CASES-}" "${TESELA_FIGURES:+figures}"
}

figures=${TESELA_FIGURES-}
success=$PWD/build/once/$(state "$@" | sha256sum | cut -c -32)
if [ -d "$success" ]; then
  echo "once: $(< "$success/command")"
else
  TESELA_FIGURES=$(mktemp -d)
  trap 'rm -rf "$TESELA_FIGURES"' EXIT
  if [ -n "$figures" ]; then export TESELA_FIGURES; else declare +x TESELA_FIGURES; fi
  begin=$SECONDS
  "$@"
  echo "done before, in $((SECONDS - begin)) s: $*" > "$TESELA_FIGURES/command"
  mkdir -p "${success%/*}"
  cp -rT "$TESELA_FIGURES" "$success.part"
  mv -T "$success.part" "$success"
fi
if [ -n "$figures" ]; then
  mkdir -p "$figures"
  for file in "$success"/*.txt; do
    if [ -f "$file" ]; then cat "$file" >> "$figures/${file##*/}"; fi
  done
fi
