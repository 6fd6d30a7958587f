# SPDX-License-Identifier: Apache-2.0
"""The implementation in Python that is written from docs/specification alone gives the vectors, and with a rule broken it does
not.

TESELA_CASES of 1,000 or more breaks every rule, otherwise some of them.
"""

import importlib
import os
import pathlib
import re
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "specification" / "from_text"
sys.path.append(str(FOLDER.parent))

from broken_rules import BROKEN, WITHOUT_VECTORS
from from_text import check

VECTORS = check.vectors()
EVERY = 1 if int(os.environ.get("TESELA_CASES", 100)) >= 1000 else 10


def test_the_text_gives_the_vectors():
    faults = {number: fault for number, vector in enumerate(VECTORS) if (fault := check.fault(vector))}
    assert not faults
    assert len(VECTORS) > 1800


def test_a_wrong_output_is_noticed():
    right = next(vector for vector in VECTORS if vector.get("attributes", {}).get("mode") == "linear" and "output" in vector)
    dtype, shape, elements = right["output"]
    assert check.fault(right | {"output": [dtype, shape, ("B" if elements[0] == "A" else "A") + elements[1:]]})
    assert check.fault(right | {"output": [dtype, [*shape, 1], elements]})
    assert check.fault(right | {"refused": "value"})
    assert check.fault(next(vector for vector in VECTORS if "refused" in vector) | {"op": "Unknown"}) == ""


def test_it_knows_the_text_only():
    """No module of the library, of its emulation or of the scripts that draw the vectors."""
    for path in FOLDER.glob("*.py"):
        modules = re.findall(r"^\s*(?:from|import) ([\w.]+)", path.read_text(), re.MULTILINE)
        known = {"base64", "collections.abc", "dataclasses", "fractions", "functools", "json", "math", "numpy", "operator", "pathlib", "sys"}
        assert all(name.startswith(".") or name in known for name in modules), path


def test_every_rule_is_broken_once():
    text = "".join(path.read_text() for path in (ROOT / "docs" / "specification").glob("*.md"))
    rules = set(re.findall(r"^#### ([A-Z]+-[A-Z]+-\d+): ", text, re.MULTILINE))
    assert {rule for rule, *_ in BROKEN} == rules - set(WITHOUT_VECTORS)
    for rule, module, right, _ in BROKEN:
        assert right in (FOLDER / f"{module}.py").read_text(), rule


@pytest.mark.parametrize("number", range(0, len(BROKEN), EVERY))
def test_a_broken_rule_is_noticed(number, tmp_path, monkeypatch):
    rule, module, right, wrong = BROKEN[number]
    name = f"broken_{number}"
    shutil.copytree(FOLDER, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / name / f"{module}.py"
    path.write_text(path.read_text().replace(right, wrong, 1))
    monkeypatch.syspath_prepend(tmp_path)
    changed = importlib.import_module(f"{name}.check")
    assert any(is_noticed(changed, vector) for vector in reversed(VECTORS)), rule


def is_noticed(changed, vector: dict) -> bool:
    try:
        return bool(changed.fault(vector))
    except NameError:
        raise
    except Exception:
        return True
