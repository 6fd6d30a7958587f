#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the wheels in dist/ in systems that have Python and nothing that Tesela was built with, and uses them there as README
# does. Needs root. Arguments: more interpreters of this machine, whose folders are made visible there (python3.12 of pyenv, say).
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD/build/bare-root
house=$PWD/build/wheelhouse

if [ ! -e "$root/complete" ]; then
  echo "bare: making a minimal Debian in $root"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
  rm -rf "$root"
  debootstrap --variant=minbase --include=python3 bookworm "$root" "$mirror" > build/debootstrap.log 2>&1 || { tail build/debootstrap.log >&2; exit 1; }
  touch "$root/complete"
fi
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

# In mount and process namespaces of their own, where nothing stays.
in_root() {
  unshare --mount --pid --fork -- bash -c '
    root=$1 && shift
    mkdir -p "$root/repository" "$root/proc" "$root/dev"
    mount --bind "$PWD" "$root/repository" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
    for folder in $BARE_FOLDERS; do mkdir -p "$root$folder" && mount --bind "$folder" "$root$folder"; done
    exec chroot "$root" "$@"' bash "$root" "$@"
}

export BARE_FOLDERS=
try /usr/bin/python3
for python in "$@"; do
  folder=$("$python" -c 'import sys; print(sys.base_prefix)')
  BARE_FOLDERS=$folder try "$folder/bin/python3"
done
