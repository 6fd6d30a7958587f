#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the sources twice, in other folders, at other times, in another language and with another umask, and compares what is
# installed byte by byte. Differences are shown by diffoscope, where it is installed. Arguments for cmake may follow.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(realpath -m build/reproducible)
chmod -R u+w "$work" 2> /dev/null || true
rm -rf "$work"

# $1: a folder; the rest: cmake's arguments
build() {
  local folder=$1
  mkdir -p "$folder/source"
  git ls-files -z --cached --others --exclude-standard | xargs -0 tar c --ignore-failed-read 2> /dev/null | tar x -C "$folder/source"
  find "$folder/source" -exec touch --date "$date" {} +
  (cd "$folder" && CCACHE_DISABLE=1 cmake -S source -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX=/usr "${@:2}" &&
    CCACHE_DISABLE=1 cmake --build build && DESTDIR=$folder/installed cmake --install build) > "$folder/log" 2>&1 ||
    { tail -n 20 "$folder/log"; echo "reproducible: the build in $folder failed" >&2; exit 1; }
}

export LC_ALL TZ date
LC_ALL=C TZ=UTC date=2026-01-01T00:00:00
(umask 022; build "$work/one" "$@")
LC_ALL=C.UTF-8 TZ=Asia/Kathmandu date=2026-06-30T12:34:56
# Names of folders have other lengths, and files are created, so listed, in another order.
(umask 027; build "$work/another folder/deeper" "$@")

first=$work/one/installed
second="$work/another folder/deeper/installed"
(cd "$first" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum) > "$work/first"
(cd "$second" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum) > "$work/second"
[ -s "$work/first" ]
if ! diff "$work/first" "$work/second"; then
  if command -v diffoscope > /dev/null; then diffoscope --max-report-size 20000 "$first" "$second" || true; fi
  echo "reproducible: two builds differ" >&2
  exit 1
fi
cd "$root"
echo "reproducible: $(wc -l < "$work/first") files are the same in two builds"
