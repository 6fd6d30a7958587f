#!/usr/bin/env bash
# Unpacks the headers of ONNX Runtime into a folder, unless they are there. Debian 12 has no version with plugin execution
# providers, so they come from the suite sid. The package is unpacked, not installed, and the system's package lists are not
# changed. Argument: the folder.
set -euo pipefail
folder=$1
least_api=23

api_of() { sed -n 's/^#define ORT_API_VERSION \([0-9]*\)$/\1/p' "$1"; }

header=$folder/onnxruntime_c_api.h
if [ -f "$header" ] && [ "$(api_of "$header")" -ge "$least_api" ]; then
  exit 0
fi

echo "setup: fetching the headers of ONNX Runtime"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources.list.d"
# Use the system's mirror.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
if [ -z "$mirror" ]; then
  echo "setup: apt has no source of Debian's packages, so the headers of ONNX Runtime could not be fetched" >&2
  exit 1
fi
printf 'Types: deb\nURIs: %s\nSuites: sid\nComponents: main\nSigned-By: %s\n' \
  "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg > "$work/sources.list.d/sid.sources"
apt() {
  apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User=root \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="$work/sources.list.d" "$@" < /dev/null
}
if ! { apt update && (cd "$work" && apt download libonnxruntime-dev/sid); } > "$work/log" 2>&1; then
  cat "$work/log" >&2
  echo "setup: the headers of ONNX Runtime could not be fetched" >&2
  exit 1
fi
dpkg-deb -x "$work"/libonnxruntime-dev_*.deb "$work/unpacked"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/unpacked/usr/include/onnxruntime" "$folder"
if [ "$(api_of "$header")" -lt "$least_api" ]; then
  echo "setup: sid has headers of API $(api_of "$header"); expected $least_api or newer" >&2
  exit 1
fi
