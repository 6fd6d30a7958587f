"""The implementation in Python that is written from docs/specification alone gives the vectors."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "specification" / "from_text"
sys.path.append(str(FOLDER.parent))

from from_text import check

VECTORS = check.vectors()


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
        known = {"base64", "dataclasses", "fractions", "json", "math", "numpy", "pathlib", "sys"}
        assert all(name.startswith((".", "from_text")) or name in known for name in modules), path
