# SPDX-License-Identifier: Apache-2.0
"""Writes the figures that `make reliability` measured into docs/reliability.md.

Each goal of the document has a block between the comments `<!-- measured G3 -->` and `<!-- end -->`. A goal without new
figures keeps its block. A file of figures whose goal has no block is an error.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
BLOCK = re.compile(r"(<!-- measured (?P<goal>\w+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


def main(folder: Path) -> int:
    figures = {file.stem: file.read_text(encoding="utf-8").splitlines() for file in folder.glob("*.txt")}
    text = DOCUMENT.read_text(encoding="utf-8")
    unknown = figures.keys() - {block["goal"] for block in BLOCK.finditer(text)}
    if unknown:
        print(f"{DOCUMENT.name} has no block for {', '.join(sorted(unknown))}", file=sys.stderr)
        return 1

    def measured(block: re.Match[str]) -> str:
        lines = figures.get(block["goal"])
        return block[0] if lines is None else block[1] + "".join(f"- {line}\n" for line in lines) + block[4]

    DOCUMENT.write_text(BLOCK.sub(measured, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
