#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs .venv's Python for libraries built with sanitizers. Python itself is not sanitized, so the sanitizer's runtime is preloaded.
# Leaks are not detected, because Python leaks. Arguments: those of Python.
set -euo pipefail
cd "$(dirname "$0")/.."
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)" exec .venv/bin/python "$@"
