#!/usr/bin/env bash
# Puts CBMC, the model checker of C, into a folder, unless it is there. Debian 12 does not have it, so it comes from the suite
# trixie. Packages are unpacked, not installed, and the system's package lists are not changed. It needs newer libraries than
# the system's, so the programs in the folder run with their loader. Argument: the folder.
set -euo pipefail
folder=$1
packages=(cbmc libc6 libgcc-s1 libstdc++6 minisat)
if [ -x "$folder/cbmc" ] && "$folder/cbmc" --version > /dev/null 2>&1; then
  exit 0
fi

echo "setup: fetching CBMC"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources.list.d" "$work/unpacked"
# Use the system's mirror.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
if [ -z "$mirror" ]; then  # its lists have not been fetched
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p)
fi
printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: %s\n' \
  "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg > "$work/sources.list.d/trixie.sources"
apt() {
  apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User=root \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="$work/sources.list.d" "$@" < /dev/null
}
if ! { apt update && (cd "$work" && apt download "${packages[@]/%//trixie}"); } > "$work/log" 2>&1; then
  cat "$work/log" >&2
  echo "setup: CBMC could not be fetched" >&2
  exit 1
fi
for package in "$work"/*.deb; do
  dpkg-deb -x "$package" "$work/unpacked"
done
rm -rf "$folder"
mkdir -p "$folder/lib"
find "$work/unpacked" -name 'lib*.so*' -path '*/lib/*' ! -path '*/gconv/*' -exec cp -L {} "$folder/lib/" \;
cp -L "$(find "$work/unpacked" -name 'ld-linux-*.so*' | sed -n 1p)" "$folder/lib/loader"
for program in cbmc goto-cc goto-instrument; do
  cp "$work/unpacked/usr/bin/$program" "$folder/lib/"
  printf '#!/bin/sh\nlib=$(dirname "$(readlink -f "$0")")/lib\nexec "$lib/loader" --library-path "$lib" "$lib/%s" "$@"\n' \
    "$program" > "$folder/$program"
  chmod +x "$folder/$program"
done
if ! "$folder/cbmc" --version > /dev/null; then
  echo "setup: CBMC does not run" >&2
  exit 1
fi
