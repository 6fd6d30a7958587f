#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the plugin against other versions of ONNX Runtime, each in a separate environment that is otherwise
# identical. Arguments: the versions. The package must be installed in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=lib/python3.11/site-packages

for version in "$@"; do
  environment=build/onnxruntime-$version
  stamp=$environment/installed
  content="$(pwd) $(sha256sum < requirements-test.txt)"
  if [ ! -f "$stamp" ] || [ "$(< "$stamp")" != "$content" ]; then
    echo "setup: installing ONNX Runtime $version into $environment"
    /usr/bin/python3 -m venv --clear "$environment"
    sed "s/^onnxruntime==.*/onnxruntime==$version/" requirements-test.txt > "$environment/requirements.txt"
    # Older ones ask for packages that their import does without.
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
      --only-binary :all: -r "$environment/requirements.txt"
    printf '%s\n' "$content" > "$stamp"
  fi
  rm -rf "$environment/$packages/tesela"
  cp -r ".venv/$packages/tesela" "$environment/$packages/"
  tests=(tests/conformance/test_onnxruntime_override.py tests/python/test_onnxruntime_operators.py)
  # Older ones have no providers of others.
  if [ "$(printf '%s\n' 1.23 "$version" | sort -V | head -n 1)" = 1.23 ]; then
    tests+=(tests/conformance/test_onnxruntime.py tests/python/test_onnxruntime_provider.py)
  fi
  "$environment/bin/python" -m pytest -q --timeout 900 -p no:cacheprovider "${tests[@]}"
done
