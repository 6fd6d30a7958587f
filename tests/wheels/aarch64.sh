#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Uses the aarch64 wheels in dist/ as tests/wheels/bare.sh does the others: under qemu-user, with Debian's Python for arm64, NumPy and
# ONNX Runtime, and none of the libraries that Tesela was built with.
set -euo pipefail
cd "$(dirname "$0")/../.."

onnxruntime=1.24.1  # 1.32.0 crashes in Debian 12's qemu-user when it is imported

# $1: the suite of Debian, $2: its Python.
try() {
  local root=$PWD/build/aarch64-python$2
  local site=$root/site
  scripts/setup_aarch64_python.sh "$1" "$2" "$root"
  rm -rf "$site"
  .venv-wheels/bin/python -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --python-version "$2" \
    --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 --platform "$platform" \
    --no-compile --target "$site" --find-links dist "tesela==$(< VERSION)" "onnxruntime==$onnxruntime"
  # Python and the program start others: what they start is emulated, too.
  emulated "$site/bin/python" "$root" "$root/usr/bin/python$2"
  mv "$site/tesela/tesela-cli" "$site/tesela/tesela-cli.aarch64"
  emulated "$site/tesela/tesela-cli" "$root" "$site/tesela/tesela-cli.aarch64"
  printf '#!/bin/sh\nexec %s/bin/python -m tesela "$@"\n' "$site" > "$site/bin/tesela"
  env -i PATH="$site/bin:/usr/bin:/bin" PYTHONHOME="$root/usr" PYTHONPATH="$site" "$site/bin/python" tests/wheels/exercise.py "$PWD"
}

# Makes a script that runs a program, which takes the script for itself. $1: the script, $2: the system's folder, $3: the program.
emulated() {
  printf '#!/bin/sh\nexec qemu-aarch64 -L %s -0 "$0" %s "$@"\n' "$2" "$3" > "$1"
  chmod +x "$1"
}

platform=$(compgen -G 'dist/*aarch64.whl' | sed -n '1s/.*-\(manylinux[^.]*\).*/\1/p')
if compgen -G 'dist/*cp311*aarch64.whl' > /dev/null; then try bookworm 3.11; fi
if compgen -G 'dist/*abi3*aarch64.whl' > /dev/null; then try trixie 3.13; fi
