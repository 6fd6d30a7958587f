#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program of the preset arm under qemu-user, with the libraries that scripts/setup_aarch64.sh unpacked. Arguments: the
# program and its arguments.
set -euo pipefail
packages=$(dirname "$(realpath "$0")")/../build/aarch64-packages
exec qemu-aarch64 -L /usr/aarch64-linux-gnu \
  -E "LD_LIBRARY_PATH=$packages/usr/lib/aarch64-linux-gnu:$packages/lib/aarch64-linux-gnu" "$@"
