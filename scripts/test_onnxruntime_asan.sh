#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the ONNX Runtime plugin with a copy of the package that has the libraries of build-asan. The package
# must be installed in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-asan}

copy=$(realpath "$build")/python
rm -rf "$copy"
mkdir -p "$copy"
cp -r .venv/lib/python3*/site-packages/tesela "$copy/"
cp "$build"/libtesela.so.?.? "$build"/libtesela_onnxruntime.so "$copy/tesela/"

# With this runtime, a failing `new` in ONNX Runtime ends the process instead of throwing.
beyond=tests/python/test_onnxruntime_provider.py::test_output_beyond_memory_is_an_error
export PYTHONPATH=$copy
scripts/asan_python.sh -m pytest -q --timeout 900 -p no:cacheprovider tests/conformance/test_onnxruntime*.py \
  tests/python/test_onnxruntime_provider.py tests/python/test_onnxruntime_operators.py --deselect "$beyond"
