#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Tesela with each compiler and each way that packages choose, warnings being errors, runs the program and a consumer of each
# build, and prints a table. Arguments: the names of rows, by default all; --list lists them. Compilers that are missing are
# installed, if Debian 12 has them. The row debian-13 builds in a minimal Debian 13, with its compiler and its libraries (as root).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${TESELA_MATRIX-build/matrix}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# A name, the C++ and the C compiler, and arguments for cmake.
rows() {
  cat << 'ROWS'
g++             g++     gcc
g++-O0          g++     gcc     -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
g++-native      g++     gcc     -DCMAKE_CXX_FLAGS=-march=native
g++-lto         g++     gcc     -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
g++-static      g++     gcc     -DTESELA_BUILD_SHARED=OFF
g++-no-pch      g++     gcc     -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
clang-14        clang++ clang
clang-14-O0     clang++ clang   -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
clang-14-native clang++ clang   -DCMAKE_CXX_FLAGS=-march=native
clang-16        clang++-16 clang-16
clang-19        clang++-19 clang-19
embedded        g++     gcc
debian-13       g++     gcc
ROWS
}

provide() {
  command -v "$1" > /dev/null && return
  if [ "$(id -u)" = 0 ]; then apt-get -qq install --no-install-recommends "$2" > /dev/null 2>&1 && command -v "$1" > /dev/null; else return 1; fi
}

# Prints what the row's programs say; fails where one does not run.
try() {
  local build=$1 version
  version=$(< VERSION)
  [ "$("$build/tesela" --version)" = "tesela $version" ] || return 1
  "$build/tesela" bench 'linear float 1x3x54x96 -> 1x3x108x192' --seconds 0.01 > /dev/null || return 1
  "$build/tests/digests/tesela_digests" --check tests/digests/manifest.txt --first 0 --count 300 > /dev/null || return 1
}

wanted=("$@")
if [ "${1:-}" = --list ]; then rows; exit 0; fi
mkdir -p "$folder"
: > "$folder/table"
failed=0
while read -r name cxx cc arguments; do
  if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then continue; fi
  build=$folder/$name
  log=$folder/$name.log
  begin=$SECONDS
  package=$cxx
  case $cxx in clang++-*) package=clang-${cxx##*-} ;; esac
  if ! provide "$cxx" "$package"; then
    result="not to be had here"
  elif [ "$name" = debian-13 ]; then
    root=build/debian-13-root
    if scripts/debian_root.sh trixie "$root" > "$log" 2>&1 && scripts/in_root.sh "$PWD/$root" env -i PATH="$PATH" bash -c \
      "cd /repository && { apt-get -qq update && scripts/setup_packages.sh build; } && TESELA_MATRIX=$build scripts/build_matrix.sh g++" \
      >> "$log" 2>&1; then result=passed; else result=FAILED; fi
  elif [ "$name" = embedded ]; then
    if tests/consumers/embedded.sh cmake "$PWD" "$cc" "$cxx" --build > "$log" 2>&1; then result=passed; else result=FAILED; fi
  else
    # shellcheck disable=SC2086  # arguments are words
    if cmake -S . -B "$build" -G Ninja "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_COMPILER=$cc" -DTESELA_DIGESTS=ON \
      -DCMAKE_COMPILE_WARNING_AS_ERROR=ON $arguments > "$log" 2>&1 && nice cmake --build "$build" -- "-j$jobs" >> "$log" 2>&1 &&
      ! grep -n 'warning: ' "$log" && try "$build" >> "$log" 2>&1; then
      result=passed
    else
      result=FAILED
    fi
  fi
  [ "$result" != FAILED ] || { failed=1; tail -n 15 "$log"; }
  printf '| %-16s | %-18s | %5s s | %s\n' "$name" "$result" "$((SECONDS - begin))" "$arguments" | tee -a "$folder/table"
done < <(rows)
exit $failed
