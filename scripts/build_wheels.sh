#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the source distribution and a wheel for each Python into dist/, with the library in build/, and checks them. A wheel
# bundles what it links and is tagged for the C library of this machine. A wheel of 3.12 or newer serves all later versions, so
# one of these is enough. Arguments: interpreters; by default Debian's and the first of python3.12 to python3.15 that runs.
set -euo pipefail
cd "$(dirname "$0")/.."
pythons=("$@")
if [ ${#pythons[@]} = 0 ]; then
  pythons=(/usr/bin/python3)
  for version in 3.12 3.13 3.14 3.15; do
    # pyenv has a command for each version that it knows, which fails unless that version is chosen.
    if "python$version" --version > /dev/null 2>&1; then pythons+=("python$version") && break; fi
  done
fi
tools=$PWD/.venv-wheels/bin

rm -rf dist build/wheels
mkdir -p dist build/wheels
"$tools/python" -m build --sdist --no-isolation --outdir dist . > build/wheels/sdist.log 2>&1 || { cat build/wheels/sdist.log >&2; exit 1; }
for python in "${pythons[@]}"; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  echo "wheels: building for Python $version"
  environment=build/wheels/python$version
  "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \
    $(sed -n '/^nanobind==/p; /^scikit_build_core==/p' requirements-wheels.txt)
  "$environment/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-input --no-build-isolation --no-deps \
    --config-settings "cmake.define.TESELA_BUILT=$PWD/build" --config-settings "build-dir=build/wheels/cmake-$version" \
    --wheel-dir build/wheels/linked .
done
PATH=$tools:$PATH "$tools/python" -m auditwheel repair --strip --plat auto --wheel-dir dist build/wheels/linked/*.whl > build/wheels/repair.log 2>&1 ||
  { cat build/wheels/repair.log >&2; exit 1; }

"$tools/python" scripts/check_wheel.py dist
"$tools/python" -m twine check --strict dist/*
"$tools/check-wheel-contents" dist/*.whl
if compgen -G 'dist/*abi3*.whl' > /dev/null; then "$tools/abi3audit" --strict --assume-minimum-abi3 3.12 dist/*abi3*.whl; fi
ls -l dist
