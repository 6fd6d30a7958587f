#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Python package with the library in build/ into an environment of setup_python.sh, unless it is up to date.
# Argument: the folder (.venv).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-.venv}

stamp=$folder/installed-tesela
content=$(find python pyproject.toml VERSION build/libtesela*.so build/tesela -type f -o -type l | LC_ALL=C sort |
  grep -v __pycache__ | xargs sha256sum | sha256sum)
if [ -f "$stamp" ] && [ "$(< "$stamp")" = "$content" ]; then
  exit 0
fi

echo "setup: installing the Python package into $folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-build-isolation --no-deps \
  --force-reinstall --config-settings "cmake.define.TESELA_BUILT=$PWD/build" --config-settings build-dir=build/python .
printf '%s\n' "$content" > "$stamp"
