# SPDX-License-Identifier: Apache-2.0
"""Tesela inside OpenVINO, in a separate process: some bugs of OpenVINO corrupt memory, which our sanitizers must not report
and which may crash the process."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent


@pytest.mark.parametrize("name, least", [("inside_openvino.py", 17), ("inside_openvino_extension.py", 89),
                                         ("inside_openvino_models.py", 234)])
def test_inside_openvino(name, least):
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "TESELA_LIBRARY")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", FOLDER / name],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^(\d+) passed in", done.stdout, re.MULTILINE)
    assert passed and int(passed.group(1)) >= least, done.stdout


@pytest.mark.parametrize("content, message", [
    ("raise ModuleNotFoundError('No module named openvino')", "No module named openvino"),
    ("__version__ = '2022.3'", "cannot import name 'Op'"),
], ids=["absent", "too old"])
def test_import_without_openvino_says_what_to_install(content, message, tmp_path):
    (tmp_path / "openvino.py").write_text(content)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import tesela.openvino"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: tesela.openvino needs OpenVINO 2026.4 or newer (") and message in last
    assert last.endswith("pip install 'tesela[openvino]'")
