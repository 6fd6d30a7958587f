#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets for OSS-Fuzz, which sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT.
set -euo pipefail

source=$SRC/tesela
# The installed C++ libraries were built with libstdc++.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
cmake -S "$source" -B "$WORK" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTESELA_FUZZ=ON -DTESELA_BUILD_CLI=OFF \
  -DTESELA_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_EXE_LINKER_FLAGS='-Wl,-rpath,$ORIGIN/lib' > /dev/null
cmake --build "$WORK" --target fuzz_targets

mkdir -p "$OUT/lib"
for path in "$source"/tests/fuzz/fuzz_*.cc; do
  target=$(basename "$path" .cc)
  cp "$WORK/tests/fuzz/$target" "$OUT/"
  # The image that runs targets has none of these libraries.
  ldd "$OUT/$target" | sed -n 's/.* => \(.*lib\(tbb\|fmt\|pugixml\|png\|jpeg\|z\|hwy\|stdc++\)[^ ]*\) .*/\1/p' |
    xargs -I{} cp -L {} "$OUT/lib/"
  dictionary=$source/tests/fuzz/${target#fuzz_}.dict
  if [ -f "$dictionary" ]; then cp "$dictionary" "$OUT/$target.dict"; fi
  python3 "$source/tests/fuzz/kept_inputs.py" "$target" "$OUT/${target}_seed_corpus.zip"
done
