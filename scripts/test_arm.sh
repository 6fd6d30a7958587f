#!/usr/bin/env bash
# Runs the C++ tests of the preset arm under qemu-user, one part of them on each core. Argument: a filter of googletest; by
# default all tests but those that say nothing about the processor and take long or need what qemu-user does not emulate.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$PWD/build/aarch64-packages
emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu
  -E "LD_LIBRARY_PATH=$packages/usr/lib/aarch64-linux-gnu:$packages/lib/aarch64-linux-gnu")
cores=$(nproc)
# Limits on memory and addresses hit qemu itself; death tests and forks end in its own threads.
unsuitable=NoMemory.*:*DeathTest.*:Stress.*
log=build-arm/tests
pids=()
for ((part = 0; part < cores; ++part)); do
  GTEST_TOTAL_SHARDS=$cores GTEST_SHARD_INDEX=$part "${emulator[@]}" build-arm/tests/tesela_tests --gtest_brief=1 \
    --gtest_filter="${1:-*:-$unsuitable}" > "$log/part$part.log" 2>&1 &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
cat "$log"/part*.log
exit $failed
