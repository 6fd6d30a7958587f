# SPDX-License-Identifier: Apache-2.0
"""How the installed files are linked, and the interface they have. ctest checks those in the build folder, the flags of the
compiler, and that the checks fail for changed headers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tesela

ROOT = Path(__file__).resolve().parents[2]
CONSUMERS = ROOT / "tests" / "consumers"
HEADER = ROOT / "include" / "tesela" / "tesela.h"
sys.path.insert(0, str(ROOT / "tests" / "reliability"))
from figures import record


def check(script: str, *words) -> None:
    done = subprocess.run([CONSUMERS / script, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_installed_files_are_hardened_and_keep_the_interface():
    folder = Path(tesela._core.__file__).parent
    files = [*folder.glob("*.so*"), folder / "tesela-cli"]
    assert {"_core", "libtesela", "tesela-cli", "libtesela_onnxruntime"} <= {file.name.split(".")[0] for file in files}
    check("hardening.sh", *files)
    library = next(folder.glob("libtesela.so.*"))
    check("exported_symbols.sh", library, HEADER, ROOT / "VERSION")
    check("abi.sh", "cc", HEADER, library)
    names = ", ".join(f"`{file.name.split('.')[0]}`" for file in sorted(files))
    record("G15", f"{names}: position-independent, RELRO, symbols bound at the start, no executable stack, no text relocations, "
                  "stack protector, shadow stacks, landing pads at exported functions.")
    functions = HEADER.read_text().count("\nTESELA_API ")
    record("G15", f"{functions} functions are declared and exported; `abidiff` finds no change from the baseline.")
