#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that tasks need, unless they are installed.
# Arguments: tasks (build, test, lint, soak, arm, deb, page, bench, docs). On other systems it does nothing; CMake reports what is missing.
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build pkg-config libtbb-dev libprotozero-dev libpugixml-dev libcli11-dev nlohmann-json3-dev
    libfmt-dev libpng-dev libjpeg62-turbo-dev zlib1g-dev libhwy-dev"
  [test]="libgtest-dev libgmock-dev abigail-tools strace ca-certificates python3 python3-dev python3-venv
    man-db mandoc zsh fish"
  [lint]="clang clang-format clang-tidy"
  [soak]="clang llvm debootstrap"
  [arm]="g++-aarch64-linux-gnu qemu-user"
  [deb]="debhelper dpkg-dev fakeroot lintian man-db"
  [page]="clang-14 lld-14 llvm-14 wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 libclang-rt-14-dev-wasm32 nodejs chromium"
  [docs]="chromium"
  [bench]="libbenchmark-dev libzimg-dev gdal-bin ca-certificates python3 python3-venv"
)

if ! command -v dpkg-query > /dev/null; then
  echo "setup: this is no Debian system, so nothing was installed" >&2
  exit 0
fi

wanted=$(for task in "$@"; do printf '%s\n' ${packages[$task]}; done)
# shellcheck disable=SC2086  # names are words
present=$(dpkg-query --show --showformat='${db:Status-Abbrev} ${Package}\n' $wanted 2> /dev/null | sed -n 's/^.i  *//p' || true)
missing=$(comm -23 <(sort -u <<< "$wanted") <(sort -u <<< "$present") | xargs)
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "setup: these Debian packages are missing; install them as root, then try again:" >&2
  echo "  apt-get install --no-install-recommends $missing" >&2
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" > "$log" 2>&1 < /dev/null; }
# shellcheck disable=SC2086
install() { apt install --no-install-recommends $missing; }

echo "setup: installing $missing"
# The package lists may be missing or outdated.
if ! install && ! { apt update && install; }; then
  cat "$log" >&2
  echo "setup: the packages could not be installed" >&2
  exit 1
fi
