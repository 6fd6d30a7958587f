#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Creates a virtual environment with the pinned packages of a requirements file, unless it is up to date.
# Arguments: the requirements file, and the folder (.venv). Uses Debian's Python, because the pins are for that version.
set -euo pipefail
cd "$(dirname "$0")/.."
requirements=$1
folder=${2:-.venv}
python=/usr/bin/python3

stamp=$folder/installed-$(basename "$requirements")
content="$("$python" --version) $(pwd) $(sha256sum < "$requirements")"
if [ -f "$stamp" ] && [ "$(< "$stamp")" = "$content" ]; then
  exit 0
fi

echo "setup: installing $requirements into $folder"
"$python" -m venv --clear "$folder"
# With the hash of one package pip wants those of all.
hashed=$(mktemp)
trap 'rm -f "$hashed"' EXIT
"$python" scripts/hashed_requirements.py "$requirements" > "$hashed"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: -r "$hashed"
printf '%s\n' "$content" > "$stamp"
