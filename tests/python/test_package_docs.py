# SPDX-License-Identifier: Apache-2.0
"""Examples of the manual and of docstrings run (those of verbs: test_pages.py), and the stubs match the module."""

import inspect
import pathlib
import re
import subprocess
import sys

import tesela

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_examples_run():
    manual = (ROOT / "docs" / "python.md").read_text()
    start = (ROOT / "README.md").read_text()
    page = (ROOT / "python" / "README.md").read_text().partition("Inside ONNX Runtime")[0]
    scale = (ROOT / "docs" / "scale.md").read_text()
    for text, count in ((page, 1), (manual, 8), (start, 1), (scale, 1)):
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        assert len(blocks) >= count
        exec(compile("\n".join(blocks), "example", "exec"), {"__name__": "example"})


def test_pictures_exist():
    for name in re.findall(r"\]\((images/.*?)\)", (ROOT / "docs" / "python.md").read_text()):
        assert (ROOT / "docs" / name).read_text().startswith("<?xml")


def test_docstring_examples_run():
    import doctest

    import numpy as np

    for function in (tesela.resize, tesela.tile, tesela.constant_of_shape, tesela.plan, tesela.identify):
        finder = doctest.DocTestFinder().find(function, globs={"np": np, "tesela": tesela})
        for example in finder:
            assert doctest.DocTestRunner().run(example).failed == 0


def test_the_module_is_typed():
    package = pathlib.Path(tesela.__file__).parent
    assert (package / "py.typed").exists()
    for name in tesela.__all__:
        entry = getattr(tesela, name)
        if inspect.isfunction(entry):
            assert all(p.annotation is not p.empty for p in inspect.signature(entry).parameters.values()), name


def test_stub_matches_the_module(tmp_path):
    stub = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "tesela._core", "-o", stub], check=True)
    assert stub.read_text() == (ROOT / "python" / "tesela" / "_core.pyi").read_text()
