# SPDX-License-Identifier: Apache-2.0
"""Lints one-node models through the C interface, and says what a peer made of them."""

from __future__ import annotations

import ctypes as c
import json

import library
import numpy as np
import onnx

JSON = 1


class Options(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("runtimes", c.POINTER(c.c_char_p)), ("runtime_count", c.c_size_t),
                ("path", c.c_char_p)]


def text_of(blob: c.c_void_p) -> str:
    data = library.LIBRARY.tesela_blob_data
    data.restype = c.c_char_p
    text = data(blob).decode()
    library.LIBRARY.tesela_blob_destroy(blob)
    return text


def rows() -> dict[str, dict]:
    """Every row of the catalogue by "peer/id"."""
    blob = c.c_void_p()
    library.call("tesela_catalogue", c.c_int(JSON), c.byref(blob))
    return {f"{peer['name']}/{row['id']}": row for peer in json.loads(text_of(blob)) for row in peer["rows"]}


def lint(model: onnx.ModelProto, *runtimes: str) -> list[dict]:
    names = (c.c_char_p * len(runtimes))(*(name.encode() for name in runtimes))
    options = Options(c.sizeof(Options), names if runtimes else None, len(runtimes), None)
    data = model.SerializeToString()
    handle, blob = c.c_void_p(), c.c_void_p()
    library.call("tesela_model_load_memory", data, c.c_size_t(len(data)), None, c.byref(handle))
    try:
        library.call("tesela_model_lint", handle, c.byref(options), c.c_int(JSON), c.byref(blob), None)
        return json.loads(text_of(blob))["findings"]
    finally:
        library.LIBRARY.tesela_model_destroy(handle)


def is_refused(findings: list[dict]) -> bool:
    return any(finding["kind"] in ("refused", "crash", "fault") for finding in findings)


def differs(ours: np.ndarray, theirs: np.ndarray, magnitude: float) -> bool:
    """Whether two results differ by more than rounding: copies and integers at all, floats by 1e-4 of the magnitude."""
    if ours.shape != theirs.shape:
        return True
    if ours.dtype.kind != "f":
        return not np.array_equal(ours, theirs)
    step = 1e-4 if ours.dtype.itemsize > 2 else 4e-3
    gap = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    return bool(np.any(~(gap <= step * magnitude)))
