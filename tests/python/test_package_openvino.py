"""Tesela inside OpenVINO, in a process of its own: some of what OpenVINO gets wrong it does to its memory, which is no
business of our sanitizers and may end the process."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent


@pytest.mark.parametrize("name, least", [("inside_openvino.py", 18), ("inside_openvino_extension.py", 90)])
def test_inside_openvino(name, least):
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "TESELA_LIBRARY")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", FOLDER / name],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^(\d+) passed in", done.stdout, re.MULTILINE)
    assert passed and int(passed.group(1)) >= least, done.stdout
