#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the Python tests with the library of build-asan, CTEST_PARALLEL_LEVEL files at a time. Each file has a process of its own:
# freed memory stays with the sanitizer, and one process for all files takes more than 12 GiB.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-asan}

# Not what loads OpenVINO into such a process, which the sanitizer refuses, runs tools, or limits the memory of processes.
except='test_(onnxruntime.*|compare.*|exporters|hardening|package_cluster)\.py'

TESELA_LIBRARY=$(realpath "$build/libtesela.so")
export TESELA_LIBRARY
find tests/conformance tests/accuracy tests/python tests/sweeps examples -name 'test_*.py' | grep -vE "/$except$" | sort |
  xargs -P "${CTEST_PARALLEL_LEVEL:-1}" -n 1 scripts/asan_python.sh -m pytest -q --timeout 900 -p no:cacheprovider
