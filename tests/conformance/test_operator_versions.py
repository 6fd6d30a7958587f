# SPDX-License-Identifier: Apache-2.0
"""src/fix/operator_versions.def against the schemas of onnx: all versions, and none marked as allowing what it does not."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "golden"))
import dump_operator_versions as dump


def listed() -> dict[str, list[str]]:
    return {name: words.split() for name, words in re.findall(r'TESELA_OPERATOR_VERSIONS\("(\w+)", "(.*?)"\)', dump.FILE.read_text())}


def test_every_operator_has_all_its_versions():
    versions = {name: [int(word.removeprefix("=")) for word in words] for name, words in listed().items()}
    assert versions == {name: [schema.since_version for schema in schemas] for name, schemas in dump.histories().items()}


def test_the_file_begins_as_its_program_writes_it():
    assert re.sub(r"onnx \d\S+", "onnx", dump.FILE.read_text()).startswith(re.sub(r"onnx \d\S+", "onnx", dump.HEADER))


def test_marked_versions_allow_every_node_of_the_one_before():
    marks = 0
    for name, schemas in dump.histories().items():
        for word, old, new in zip(listed()[name][1:], schemas, schemas[1:]):
            if word.startswith("="):
                marks += 1
                assert dump.allows_all_of(new, old), (name, word)
    assert marks > 200


def test_known_changes_of_meaning_are_not_marked():
    """Versions that read an older node as something else, or no longer allow it."""
    words = listed()
    for name, version in (("Softmax", 13), ("LogSoftmax", 13), ("Hardmax", 13), ("Squeeze", 13), ("Unsqueeze", 13), ("Slice", 10),
                          ("Split", 13), ("Split", 18), ("Clip", 11), ("Pad", 11), ("TopK", 10), ("BatchNormalization", 14),
                          ("ReduceSum", 13), ("ReduceMean", 18), ("Dropout", 12), ("Upsample", 10), ("Resize", 11)):
        assert str(version) in words[name], (name, version)
