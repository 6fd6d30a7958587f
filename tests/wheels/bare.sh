#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the wheels in dist/ in systems that have Python and nothing that Tesela was built with, and uses them there as README
# does. Needs root. Arguments: more interpreters of this machine, whose folders are made visible there (python3.12 of pyenv, say).
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD/build/bare-root
house=$PWD/build/wheelhouse

scripts/debian_root.sh bookworm "$root" python3
for library in libtbb libfmt libpugixml libpng libjpeg; do
  if compgen -G "$root/usr/lib/*/$library*" > /dev/null; then echo "bare: $root has $library" >&2 && exit 1; fi
done

# $1: an interpreter as it is called there.
try() {
  local python=$1 version
  version=$(in_root "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  rm -rf "$house" "$root/site" "$root/house"
  .venv-wheels/bin/python -m pip download --quiet --disable-pip-version-check --no-input --only-binary :all: --python-version "$version" \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 --platform "$(platform_of_dist)" \
    --dest "$house" --find-links dist "tesela==$(< VERSION)" onnxruntime pip
  cp -r "$house" "$root/house"
  in_root "$python" "/house/$(cd "$house" && echo pip-*.whl)/pip" install --quiet --no-index --find-links /house --target /site \
    --no-warn-script-location --root-user-action ignore tesela onnxruntime
  in_root env -i PATH="/site/bin:/usr/bin:/bin" PYTHONPATH=/site \
    "$python" /repository/tests/wheels/exercise.py /repository
}

platform_of_dist() { ls dist/*x86_64*.whl | sed -n '1s/.*-\(manylinux[^.]*\).*/\1/p'; }

in_root() { scripts/in_root.sh "$root" "$@"; }

export BARE_FOLDERS=
try /usr/bin/python3
for python in "$@"; do
  folder=$("$python" -c 'import sys; print(sys.base_prefix)')
  BARE_FOLDERS=$folder try "$folder/bin/python3"
done
