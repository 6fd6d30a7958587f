#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cross-builds wheels for aarch64 into dist/, with the library of the preset arm, which was built with ONNX Runtime's headers, and
# checks them. A wheel bundles what it links. Arguments: interpreters of this machine, of Debian's version or 3.13, whose headers for
# arm64 Debian has; by default Debian's, and python3.13 if it runs, whose wheel serves every version from 3.12 on.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$PWD/build/aarch64-packages
work=$PWD/build/wheels/aarch64
tools=$PWD/.venv-wheels/bin
pythons=("$@")
if [ ${#pythons[@]} = 0 ]; then
  pythons=(/usr/bin/python3)
  if python3.13 --version > /dev/null 2>&1; then pythons+=(python3.13); fi
fi

rm -rf "$work" dist/*aarch64.whl
mkdir -p "$work/bin" dist
ln -s "$(command -v aarch64-linux-gnu-strip)" "$work/bin/strip"
for python in "${pythons[@]}"; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  echo "wheels: building for aarch64 and Python $version"
  target=$packages
  if [ ! -e "$packages/usr/lib/python$version" ]; then
    if [ "$version" != 3.13 ]; then echo "wheels: $python is Python $version; expected Debian's or 3.13" >&2 && exit 1; fi
    target=$PWD/build/aarch64-python$version
    scripts/setup_aarch64_python.sh trixie "$version" "$target"
  fi
  # What Python says of the machine that it was built for is what builds with it are for.
  mkdir -p "$work/target-$version"
  cp "$target/usr/lib/python$version/_sysconfigdata__aarch64-linux-gnu.py" "$work/target-$version"
  environment=$work/python$version
  "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \
    $(sed -n '/^nanobind==/p; /^scikit_build_core==/p' requirements-wheels.txt)
  PYTHONPATH=$work/target-$version _PYTHON_HOST_PLATFORM=linux-aarch64 _PYTHON_SYSCONFIGDATA_NAME=_sysconfigdata__aarch64-linux-gnu \
    "$environment/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-input --no-build-isolation --no-deps \
    --config-settings "cmake.define.TESELA_BUILT=$PWD/build-arm" --config-settings "build-dir=$work/cmake-$version" \
    --config-settings "cmake.define.CMAKE_TOOLCHAIN_FILE=$PWD/cmake/aarch64.cmake" \
    --config-settings "cmake.define.TESELA_AARCH64_PACKAGES=$packages" \
    --config-settings "cmake.define.CMAKE_CXX_FLAGS=-isystem $target/usr/include" \
    --config-settings "cmake.define.Python_INCLUDE_DIR=$target/usr/include/python$version" --wheel-dir "$work/linked" .
done
PATH=$work/bin:$tools:$PATH LD_LIBRARY_PATH=$packages/usr/lib/aarch64-linux-gnu:$packages/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib \
  "$tools/python" -m auditwheel repair --strip --plat auto --wheel-dir dist "$work"/linked/*.whl > "$work/repair.log" 2>&1 ||
  { cat "$work/repair.log" >&2; exit 1; }

"$tools/python" scripts/check_wheel.py dist
"$tools/python" -m twine check --strict dist/*aarch64.whl
"$tools/check-wheel-contents" dist/*aarch64.whl
if compgen -G 'dist/*abi3*aarch64.whl' > /dev/null; then "$tools/abi3audit" --strict --assume-minimum-abi3 3.12 dist/*abi3*aarch64.whl; fi
ls -l dist/*aarch64.whl
