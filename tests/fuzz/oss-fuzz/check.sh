#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs build.sh as OSS-Fuzz does, with this machine's clang, and then each target that it made. Argument: a folder.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
repository=$(cd "$(dirname "$0")/../../.." && pwd)
export CC=clang CXX=clang++ CFLAGS="" CXXFLAGS="" LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export SRC=$folder/src OUT=$folder/out WORK=$folder
mkdir -p "$SRC" "$OUT"
ln -sfn "$repository" "$SRC/tesela"
"$repository/tests/fuzz/oss-fuzz/build.sh" > /dev/null

for target in "$OUT"/fuzz_*; do
  [ -x "$target" ] || continue
  seeds=$folder/seeds/$(basename "$target")
  mkdir -p "$seeds"
  python3 -m zipfile -e "${target}_seed_corpus.zip" "$seeds"
  "$target" -runs=3000 -max_len=4096 -timeout=20 -rss_limit_mb=512 -verbosity=0 "$seeds"
  echo "$(basename "$target"): built as for OSS-Fuzz, ran 3,000 inputs"
done
