#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy on the C++ sources of a build folder. Argument: the folder. Files that passed are checked again only after
# they, a header or the list of checks changed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
passed=$folder/tidy-passed
mkdir -p "$passed"

common=$({ clang-tidy --version; git ls-files '*.h' '*.hpp' '*.def' .clang-tidy | xargs cat; } | sha256sum)
# Kernels are compiled for each instruction set through macros, which clang-tidy reads as one file; only their other parts are checked.
# The page's core is compiled for another system: clang-tidy -p build-page.
mapfile -t sources < <(git ls-files 'src/*.cc' 'apps/*.cc' 'plugins/onnxruntime/*.cc' 'plugins/common/*.cc' ':!apps/page' |
  xargs grep -L 'foreach_target.h')
export folder passed common
check() {
  local stamp
  stamp=$passed/$({ echo "$common"; cat "$1"; } | sha256sum | cut -c1-32)
  [ -f "$stamp" ] || { clang-tidy -p "$folder" --quiet "$1" 2> /dev/null && touch "$stamp"; }
}
export -f check
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$0"'
