#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks the headers of ONNX Runtime 1.23.2 into a folder, unless they are there; cmake/onnxruntime_headers.sha256 pins their
# bytes. Debian 12 has no version with plugin execution providers, so they come from the suite sid, or a source distribution has
# them. Arguments: the folder; --renew pins what the suite has now, which is for a commit of its own.
set -euo pipefail
sums=$(realpath "$(dirname "$0")/../cmake/onnxruntime_headers.sha256")
folder=$1
least_api=23

api_of() { sed -n 's/^#define ORT_API_VERSION \([0-9]*\)$/\1/p' "$1/onnxruntime_c_api.h"; }
is_pinned() { [ -f "$1/onnxruntime_c_api.h" ] && (cd "$1" && sha256sum --check --status --strict "$sums"); }

if [ "${2:-}" != --renew ] && is_pinned "$folder"; then
  exit 0
fi

echo "setup: fetching the headers of ONNX Runtime"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/unpack_from_suite.sh" sid "$work" libonnxruntime-dev
found=$work/usr/include/onnxruntime
if [ "$(api_of "$found")" -lt "$least_api" ]; then
  echo "setup: sid has headers of API $(api_of "$found"); expected $least_api or newer" >&2
  exit 1
fi
if [ "${2:-}" = --renew ]; then
  (cd "$found" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum) > "$sums"
fi
if ! is_pinned "$found"; then
  echo "setup: sid has headers of API $(api_of "$found") that cmake/onnxruntime_headers.sha256 does not pin; '$0 $folder --renew' pins them" >&2
  exit 1
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$found" "$folder"
