#!/usr/bin/env bash
# Makes a folder hold a Python with what a list of requirements pins, and does nothing where it already does.
# Arguments: the list, and the folder (.venv). Debian's own Python is taken, so that the pins are those of one version.
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
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: -r "$requirements"
printf '%s\n' "$content" > "$stamp"
