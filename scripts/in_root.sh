#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command in a system of debian_root.sh, in mount and process namespaces of its own, where nothing stays. Needs root.
# The project is /repository there. Arguments: the system's folder, the command. BARE_FOLDERS: more folders to show there.
set -euo pipefail
cd "$(dirname "$0")/.."
exec unshare --mount --pid --fork -- bash -c '
  root=$1 && shift
  mkdir -p "$root/repository" "$root/proc" "$root/dev"
  mount --bind "$PWD" "$root/repository" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
  for folder in ${BARE_FOLDERS-}; do mkdir -p "$root$folder" && mount --bind "$folder" "$root$folder"; done
  exec chroot "$root" "$@"' bash "$@"
