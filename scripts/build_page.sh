#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the interactive page, one HTML file: the core as WebAssembly, in build-page, and what apps/page/build_page.py puts
# around it. Needs build/tesela and the Python package in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

page=build/page/index.html
photograph=build-page/photograph.jpg
cmake -S apps/page/core -B build-page -G Ninja > /dev/null
cmake --build build-page --
build/tesela resize examples/grace_hopper.jpg "$photograph" --sizes 300,256 --mode cubic --antialias 1 --quiet
.venv/bin/python apps/page/build_page.py build-page/tesela_core.wasm "$photograph" "$page"
