#!/bin/sh
# Installs the build to a folder, moves that folder, and builds and runs programs against it as its users would:
# C by pkg-config, C and C++ by find_package. Arguments: cmake, the build folder, the C and the C++ compiler.
set -eu
cmake=$1
build=$2
cc=$3
cxx=$4
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" > "$work/install.log"
mv "$work/first" "$work/copy"
copy=$work/copy
test -s "$(find "$copy" -name LICENSE)"
library_folder=$(dirname "$(find "$copy" -name libtesela.so)")

export PKG_CONFIG_PATH="$library_folder/pkgconfig"
version=$(pkg-config --modversion tesela)

# -pedantic and C99: the header is for every C compiler.
# shellcheck disable=SC2046  # flags are words
"$cc" -std=c99 -pedantic -Wall -Wextra -Werror "$here/consumer.c" -o "$work/by_pkg_config" \
  $(pkg-config --cflags --libs tesela) "-Wl,-rpath,$library_folder"
"$work/by_pkg_config" "$version"

"$cmake" -S "$here" -B "$work/by_cmake" -G Ninja "-DCMAKE_PREFIX_PATH=$copy" \
  "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx" "-DWANTED_VERSION=$version" > "$work/configure.log"
"$cmake" --build "$work/by_cmake" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/by_cmake/consumer_c" "$version"
"$work/by_cmake/consumer_cpp" "$version"

if [ -e "$build/tesela" ]; then
  "$copy/bin/tesela" --version | grep -qF "$version"
fi
