#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Another project has Tesela's sources as a part of it, in a folder with a space in its name: configures it, which checks that
# Tesela changes nothing there, and compiles its program. With --build it is linked and run, too, which compiles Tesela.
# Arguments: cmake, the sources, the C and the C++ compiler.
set -eu
cmake=$1
sources=$2
cc=$3
cxx=$4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/a project/tesela"
for part in CMakeLists.txt VERSION LICENSE NOTICE THIRD-PARTY-LICENSES.md cmake include src apps; do cp -r "$sources/$part" "$work/a project/tesela/"; done
cp -r "$sources/tests/consumers/embedded" "$sources/tests/consumers/consumer.c" "$sources/tests/consumers/consumer.cc" "$work/a project/"

build="$work/a build"
"$cmake" -S "$work/a project/embedded" -B "$build" -G Ninja "-DTESELA_SOURCE=$work/a project/tesela" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx" > "$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
DESTDIR="$work/installed" "$cmake" --install "$build" > /dev/null
if [ -e "$work/installed" ]; then echo "the part of a project was installed"; exit 1; fi
if [ "${5:-}" = --build ]; then
  "$cmake" --build "$build" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
  version=$(cat "$sources/VERSION")
  "$build/embedded" "$version"
  "$build/embedded_static" "$version"
else
  object=$(ninja -C "$build" -t targets all | sed -n 's/^\(CMakeFiles\/embedded.dir.*consumer[.]cc[.]o\): .*/\1/p')
  test -n "$object"
  "$cmake" --build "$build" --target "$object" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
fi
