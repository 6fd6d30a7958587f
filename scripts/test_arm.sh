#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the C++ tests of the preset arm under qemu-user, one part of them on each core. Argument: a filter of googletest; by
# default all tests but those that measure processor time, which the emulator takes itself, those that limit memory, which it
# does not, those that make system calls fail, for which it has no filters, and one that starts the tests again.
set -euo pipefail
cd "$(dirname "$0")/.."
unset TESELA_FIGURES # figures of an emulator say nothing
cores=$(nproc)
without=HostileNames.*:HostileIr.*:FailingReads.*:FailingWrites.*:ResizeFromMemory.*:ZipEntry.LackOfMemoryIsReported:ImageMemory.FailedAllocationsOfLibrariesAreReported
log=build-arm/tests
pids=()
for ((part = 0; part < cores; ++part)); do
  GTEST_TOTAL_SHARDS=$cores GTEST_SHARD_INDEX=$part scripts/run_arm.sh build-arm/tests/tesela_tests --gtest_brief=1 \
    --gtest_filter="${1:-*:-$without}" > "$log/part$part.log" 2>&1 &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
cat "$log"/part*.log
exit $failed
