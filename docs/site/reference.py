# SPDX-License-Identifier: Apache-2.0
"""Writes the generated pages of the site: `.venv/bin/python docs/site/reference.py build/reference`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from headers import c_reference, cpp_reference
from python_reference import python_reference
from tesela._verbs import VERBS

ROOT = Path(__file__).resolve().parents[2]


def help_of(*words: str) -> str:
    program = [sys.executable, "-m", "tesela"] if set(words) & set(VERBS) else [str(ROOT / "build" / "tesela")]
    return subprocess.run([*program, *words, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def command_reference() -> str:
    general = help_of()
    verbs = re.findall(r"^  ([a-z]+)  ", general.partition("Verbs")[2].partition("Exit status")[0], re.MULTILINE)
    out = ["# Command-line reference", "What `tesela --help` and `tesela VERB --help` print. [Verbs](../command-line.md) says which verb is "
           "for what, and has a page of examples for each.", f"```text\n{general}\n```"]
    for verb in verbs:
        out += [f"## `tesela {verb}`", f"```text\n{help_of(verb)}\n```"]
    return "\n\n".join(out) + "\n"


def schema_reference() -> str:
    out = ["# JSON schemas", "What each verb prints with `--json`, as JSON Schema 2020-12. The files are in `docs/schemas`; a test holds the "
           "output of every verb against its schema."]
    for path in sorted((ROOT / "docs" / "schemas").glob("*.json")):
        out += [f"## `tesela {path.stem} --json`", f"[{path.name}](../schemas/{path.name})", f"```json\n{path.read_text().strip()}\n```"]
    return "\n\n".join(out) + "\n"


def pages() -> dict[str, str]:
    headers = ROOT / "include" / "tesela"
    return {
        "c.md": c_reference((headers / "tesela.h").read_text()),
        "cpp.md": cpp_reference(*((headers / name).read_text() for name in ("tesela.hpp", "images.hpp", "openvino.hpp"))),
        "python.md": python_reference(),
        "command-line.md": command_reference(),
        "schemas.md": schema_reference(),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text)
