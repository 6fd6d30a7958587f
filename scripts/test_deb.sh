#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages of packaging/debian from the tracked files in build/deb, checks them with lintian, installs them,
# uses them as their users would, and removes them. As root.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
version=$(< VERSION)
folder=build/deb

fail() { echo "deb: $1" >&2; exit 1; }

if dpkg-query --show --showformat='${db:Status-Abbrev}' tesela 2> /dev/null | grep -q '^ii'; then
  fail "the package tesela is installed; remove it first"
fi
rm -rf "$folder"
source=$folder/tesela-$version
mkdir -p "$source"
git ls-files -z --cached --others --exclude-standard | xargs -0 tar c --ignore-failed-read 2> /dev/null | tar x -C "$source"
tar c -C "$folder" --owner 0 --group 0 --sort name "tesela-$version" | xz -1 > "$folder/tesela_$version.orig.tar.xz"
cp -r packaging/debian "$source/debian"
(cd "$source" && dpkg-buildpackage -us -uc) > "$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log"; fail "the build failed"; }
grep -n 'warning: ' "$folder/build.log" && fail "the build has warnings"

packages=("$folder"/*.deb)
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$folder"/*.changes

work=$(mktemp -d)
installed=""
clean() {
  rm -rf "$work"
  # shellcheck disable=SC2086  # names are words
  [ -z "$installed" ] || dpkg --purge $installed > /dev/null
}
trap clean EXIT
names=()
real=()
for package in "${packages[@]}"; do
  name=$(dpkg-deb --field "$package" Package)
  case $name in *-dbgsym) ;; *) names+=("$name"); real+=("$root/$package") ;; esac
done
installed="${names[*]}"
dpkg --install "${real[@]}" > "$work/install.log" || { cat "$work/install.log"; fail "installing failed"; }

[ "$(tesela --version)" = "tesela $version" ] || fail "tesela --version says '$(tesela --version)'"
(cd "$work" && tesela fill ones.npy --shape 4,4 --value 1 --dtype float16 && tesela tile ones.npy tiled.npy --repeats 1,3)
man --where tesela > /dev/null || fail "there is no manual page"
"${CC:-cc}" -std=c99 tests/consumers/consumer.c -o "$work/consumer" $(pkg-config --cflags --libs tesela)
"$work/consumer" "$version"
cmake -S tests/consumers -B "$work/consumers" -G Ninja "-DWANTED_VERSION=$version" > "$work/configure.log" ||
  { cat "$work/configure.log"; fail "find_package failed"; }
cmake --build "$work/consumers" > /dev/null
for consumer in consumer_c consumer_cpp consumer_static consumer_static_cpp; do "$work/consumers/$consumer" "$version"; done

files=$(dpkg --listfiles $installed | sort -u | while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
dpkg --purge $installed > "$work/purge.log" || { cat "$work/purge.log"; fail "removing failed"; }
installed=""
for file in $files; do
  [ ! -e "$file" ] || fail "$file is left after removal"
done
echo "deb: built, checked, installed, used and removed: ${names[*]} ($(wc -w <<< "$files") files)"
