#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the build as packages are made (DESTDIR), moves it to a folder with a space in its name, and builds and runs
# programs against it as its users would: by pkg-config and by find_package, in C and C++, shared and static.
# Arguments: cmake, the build folder, the C and the C++ compiler, the plugins that were built (with commas), OpenVINO's folder.
set -eu
cmake=$1
build=$2
cc=$3
cxx=$4
plugins=$(echo "${5:-}" | tr , ';')
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
DESTDIR=$work/stage "$cmake" --install "$build" > "$work/install.log"
if grep '^-- ' "$work/install.log" | grep -E '(Installing|Up-to-date): ' | grep -vF "$work/stage$prefix"; then
  echo "files were installed outside of DESTDIR"
  exit 1
fi
copy="$work/a copy"
mv "$work/stage$prefix" "$copy"
test -s "$(find "$copy" -name LICENSE)"
if grep -rlF "$work" "$copy"; then echo "these files name the folder that they were installed in"; exit 1; fi
library_folder=$(dirname "$(find "$copy" -name libtesela.so)")

export PKG_CONFIG_PATH="$library_folder/pkgconfig"
version=$(pkg-config --modversion tesela)

# Prints a command line, run by eval because pkg-config quotes names with spaces. -pedantic and C99: the header is for every
# C compiler.
compile() {
  echo "$cc -std=c99 -pedantic -Wall -Wextra -Werror '$here/consumer.c' $1 $(pkg-config --cflags --libs $2 tesela)"
}
eval "$(compile "-o '$work/by_pkg_config'" "") '-Wl,-rpath,$library_folder'"
"$work/by_pkg_config" "$version"
mkdir "$work/archive"
cp "$library_folder/libtesela.a" "$work/archive"
eval "$(compile "-o '$work/static_by_pkg_config' '-L$work/archive' -Wl,-Bstatic -ltesela -Wl,-Bdynamic" --static)"
"$work/static_by_pkg_config" "$version"

"$cmake" -S "$here" -B "$work/by cmake" -G Ninja "-DCMAKE_PREFIX_PATH=$copy" "-DWANTED_PLUGINS=$plugins" \
  "-DOpenVINO_DIR=${6:-}" \
  "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx" "-DWANTED_VERSION=$version" > "$work/configure.log" 2>&1 ||
  { cat "$work/configure.log"; exit 1; }
"$cmake" --build "$work/by cmake" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
for consumer in consumer_c consumer_cpp consumer_static consumer_static_cpp; do "$work/by cmake/$consumer" "$version"; done
for program in "$work/by cmake/consumer_static" "$work/by cmake/consumer_static_cpp"; do
  if readelf --dynamic "$program" | grep 'NEEDED.*libtesela'; then echo "$program: needs the shared library"; exit 1; fi
done

# With a version that is not this one nothing is found.
if "$cmake" -S "$here" -B "$work/other" -G Ninja "-DCMAKE_PREFIX_PATH=$copy" -DWANTED_VERSION=9.9 > "$work/other.log" 2>&1; then
  echo "version 9.9 was found"
  exit 1
fi

if [ -e "$build/tesela" ]; then
  "$copy/bin/tesela" --version | grep -qF "$version"
fi
