#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cross-builds the wheel for aarch64 and Debian's Python into dist/, with the library of the preset arm, which was built with
# ONNX Runtime's headers, and checks it. The wheel bundles what it links.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$PWD/build/aarch64-packages
work=$PWD/build/wheels/aarch64
tools=$PWD/.venv-wheels/bin
version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')

rm -rf "$work" dist/*aarch64.whl
mkdir -p "$work/target" "$work/bin" dist
# What Python says of the machine that it was built for is what builds with it are for.
cp "$packages/usr/lib/python$version/_sysconfigdata__aarch64-linux-gnu.py" "$work/target"
ln -s "$(command -v aarch64-linux-gnu-strip)" "$work/bin/strip"
/usr/bin/python3 -m venv "$work/python"
"$work/python/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \
  $(sed -n '/^nanobind==/p; /^scikit_build_core==/p' requirements-wheels.txt)
PYTHONPATH=$work/target _PYTHON_HOST_PLATFORM=linux-aarch64 _PYTHON_SYSCONFIGDATA_NAME=_sysconfigdata__aarch64-linux-gnu \
  "$work/python/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-input --no-build-isolation --no-deps \
  --config-settings "cmake.define.TESELA_BUILT=$PWD/build-arm" --config-settings "build-dir=$work/cmake" \
  --config-settings "cmake.define.CMAKE_TOOLCHAIN_FILE=$PWD/cmake/aarch64.cmake" \
  --config-settings "cmake.define.TESELA_AARCH64_PACKAGES=$packages" \
  --config-settings "cmake.define.Python_INCLUDE_DIR=$packages/usr/include/python$version" --wheel-dir "$work/linked" .
PATH=$work/bin:$tools:$PATH LD_LIBRARY_PATH=$packages/usr/lib/aarch64-linux-gnu:$packages/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib \
  "$tools/python" -m auditwheel repair --strip --plat auto --wheel-dir dist "$work"/linked/*.whl > "$work/repair.log" 2>&1 ||
  { cat "$work/repair.log" >&2; exit 1; }

"$tools/python" scripts/check_wheel.py dist
"$tools/python" -m twine check --strict dist/*aarch64.whl
"$tools/check-wheel-contents" dist/*aarch64.whl
ls -l dist/*aarch64.whl
