"""Tesela inside OpenVINO, in a process of its own: some of what OpenVINO gets wrong it does to its memory, which is no
business of our sanitizers and may end the process."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).with_name("inside_openvino.py")


def test_inside_openvino():
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "TESELA_LIBRARY")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^(\d+) passed in", done.stdout, re.MULTILINE)
    assert passed and int(passed.group(1)) >= 18, done.stdout
