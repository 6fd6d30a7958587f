# SPDX-License-Identifier: Apache-2.0
"""Cases as folders in the layout of ONNX's backend tests."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from collections.abc import Callable, Sequence

from .. import _core
from .._compare import wire
from .._compare.differences import difference
from .case import Case, Feature

# onnx.backend.test.loader.load_model_tests(data_dir=FOLDER, kind="tesela") reads this folder.
KIND = "tesela"


def write(folder: str | os.PathLike[str], wanted: Sequence[tuple[Feature, int]], seed: int, progress: Callable[[float], None]) -> int:
    """Writes FOLDER/tesela/test_FEATURE_NUMBER of every case that has an output, and returns how many. FOLDER must be new or empty.
    Errors: IoError, InvalidValueError."""
    place = pathlib.Path(folder)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise _core.InvalidValueError(f"conformance: '{place}' exists; expected a new or an empty folder")
        count = 0
        try:
            (part / KIND).mkdir(parents=True)
            for done, (feature, number) in enumerate(wanted):
                progress(done / len(wanted))
                if not feature.refused:
                    _case(part / KIND, feature.case(seed, number))
                    count += 1
            os.replace(part, place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise _core.IoError(f"cannot write '{place}': {error.strerror}") from None
    return count


def _case(folder: pathlib.Path, case: Case) -> None:
    assert case.expected is not None
    place = folder / f"test_{case.feature.name.replace('-', '_')}_{case.number}"
    data = place / "test_data_set_0"
    data.mkdir(parents=True)
    (place / "model.onnx").write_bytes(case.node.model())
    for number, (name, array) in enumerate(case.node.feeds().items()):
        (data / f"input_{number}.pb").write_bytes(wire.tensor(array, name))
    (data / "output_0.pb").write_bytes(wire.tensor(case.expected, "y"))
    bound = difference(case.node, case.expected, case.expected, None).bound
    # The tolerances are read by onnx's runner; the rest is for people.
    told = {"rtol": 0.0, "atol": bound, "feature": case.feature.name, "operator": case.feature.area, "call": case.line, "reason": case.reason}
    (place / "data.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
