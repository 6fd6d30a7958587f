# SPDX-License-Identifier: Apache-2.0
"""The kept inputs of a fuzz target, which corpus/ has as base64. Arguments: a target, and a .zip file to write."""

from __future__ import annotations

import base64
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def kept_inputs(target: str) -> list[bytes]:
    lines = (HERE / "corpus" / f"{target}.txt").read_text(encoding="ascii").splitlines()
    return [base64.b64decode(line) for line in lines if not line.startswith("#")]


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[2], "w") as archive:
        for number, content in enumerate(kept_inputs(sys.argv[1])):
            archive.writestr(f"{number:04}", content)
