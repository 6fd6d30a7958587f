#!/usr/bin/env bash
# Unpacks the headers of ONNX Runtime into a folder, unless they are there. Debian 12 has no version with plugin execution
# providers, so they come from the suite sid. Argument: the folder.
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
"$(dirname "$0")/unpack_from_suite.sh" sid "$work" libonnxruntime-dev
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/usr/include/onnxruntime" "$folder"
if [ "$(api_of "$header")" -lt "$least_api" ]; then
  echo "setup: sid has headers of API $(api_of "$header"); expected $least_api or newer" >&2
  exit 1
fi
