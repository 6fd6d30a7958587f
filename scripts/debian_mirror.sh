#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the address from which this system's apt fetches Debian's packages, or nothing.
set -euo pipefail
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
if [ -z "$mirror" ]; then  # its lists have not been fetched
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p) ||
    true
fi
printf '%s\n' "$mirror"
