#!/usr/bin/env bash
# Makes .venv hold what a list of requirements pins, and does nothing where it already does.
# Argument: the list. Debian's own Python is taken, so that the pins are those of one version.
set -euo pipefail
cd "$(dirname "$0")/.."
requirements=$1
python=/usr/bin/python3

stamp=.venv/installed-$(basename "$requirements")
content="$("$python" --version) $(pwd) $(sha256sum < "$requirements")"
if [ -f "$stamp" ] && [ "$(< "$stamp")" = "$content" ]; then
  exit 0
fi

echo "setup: installing $requirements into .venv"
"$python" -m venv --clear .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: -r "$requirements"
printf '%s\n' "$content" > "$stamp"
