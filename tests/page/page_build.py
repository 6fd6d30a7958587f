# SPDX-License-Identifier: Apache-2.0
"""What `make page` built, for the tests of this folder, and calls of node."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CORE = ROOT / "build-page" / "tesela_core.wasm"
PAGE = ROOT / "build" / "page" / "index.html"
MANIFEST = (ROOT / "tests" / "digests" / "manifest.txt").read_text().split()


def node(program: str, *arguments: object) -> str:
    command = ["node", str(Path(__file__).parent / program), str(CORE), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout


def data() -> dict:
    """What the page starts with."""
    return json.loads(re.search(r"^open\((\{.*\})\);$", PAGE.read_text().replace("<\\/", "</"), re.MULTILINE)[1])
