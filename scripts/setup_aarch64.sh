#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's arm64 packages of the libraries that Tesela uses into a folder, for the cross compiler.
# Arguments: the folder. Packages are downloaded with lists of their own, so dpkg's architectures do not change.
set -euo pipefail

folder=$(realpath -m "$1")
packages="libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev libhwy1 libfmt-dev libfmt9 libpugixml-dev libpugixml1v5 libpng-dev libpng16-16
  libjpeg62-turbo-dev libjpeg62-turbo zlib1g-dev zlib1g libprotozero-dev libcli11-dev nlohmann-json3-dev libgtest-dev libgmock-dev libpython3.11-dev libpython3.11-minimal"
# shellcheck disable=SC2086  # names are words
stamp=$(echo $packages)
[ "$(cat "$folder/packages" 2> /dev/null)" != "$stamp" ] || exit 0

rm -rf "$folder"
mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial}
: > "$folder/apt/status"
apt=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/apt" -o Dir::State::lists=lists
  -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" -o Acquire::Retries=3
  -o Acquire::Languages=none -o APT::Sandbox::User=root)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: unpacking arm64 packages"
# shellcheck disable=SC2086
if ! (cd "$folder/apt" && apt-get "${apt[@]}" update && apt-get "${apt[@]}" download $packages) > "$log" 2>&1; then
  cat "$log" >&2
  echo "setup: the arm64 packages could not be downloaded" >&2
  exit 1
fi
for package in "$folder"/apt/*.deb; do dpkg-deb --extract "$package" "$folder"; done
rm -rf "$folder/apt"
# Links with absolute targets would leave the folder.
while read -r link; do ln -sfn "$folder$(readlink "$link")" "$link"; done < <(find "$folder" -lname '/*')
echo "$stamp" > "$folder/packages"
