#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a requirements file with the hashes of requirements-hashes.txt, so that pip installs those very files. A pin without a hash
is an error. Names are compared as pip does: case, '-', '_' and '.' make no difference. Argument: the requirements file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pin_of(line: str) -> str:
    """"name==version" in its one spelling; "" for comments."""
    name, _, version = line.split("#")[0].split(" --hash")[0].strip().partition("==")
    return re.sub(r"[-_.]+", "-", name).lower() + "==" + version if version else ""


def hashed(requirements: Path, hashes: Path) -> str:
    known = {pin: line.split()[1] for line in hashes.read_text().splitlines() if (pin := pin_of(line))}
    lines = []
    for line in requirements.read_text().splitlines():
        pin = pin_of(line)
        if pin and pin not in known:
            raise SystemExit(f"setup: {requirements.name} pins {line.strip()} without a hash in {hashes.name}; "
                             "run scripts/hash_requirements.sh")
        lines.append(f"{line.split('#')[0].strip()} {known[pin]}" if pin else line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(hashed(Path(sys.argv[1]), ROOT / "requirements-hashes.txt"), end="")
