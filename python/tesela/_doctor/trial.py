# SPDX-License-Identifier: Apache-2.0
"""Runs a small model in a runtime with Tesela, as a program in a process of its own: some runtimes end the process.

Argument: the runtime. The last line of the output is JSON: version, works, text.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import numpy as np

# ONNX: y = Tile-13(x, repeats [2]), x float [2]. Written out because the package onnx may be missing.
MODEL = (b"\x08\x08:I\n\x0f\n\x01x\n\x01r\x12\x01y\"\x04Tile\x12\x01g*\x11\x08\x01\x10\x07B\x01rJ\x08\x02\x00\x00\x00\x00\x00\x00\x00"
         b"Z\x0f\n\x01x\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x02b\x0f\n\x01y\x12\n\n\x08\x08\x01\x12\x04\n\x02\x08\x04B\x04\n\x00\x10\r")
X = np.array([1, 2], np.float32)
EXPECTED = [1, 2, 1, 2]


def try_onnxruntime() -> dict[str, Any]:
    import onnxruntime

    import tesela.onnxruntime

    is_recent = hasattr(onnxruntime, "register_execution_provider_library")
    if is_recent:
        session, how = tesela.onnxruntime.make_session(MODEL), "execution provider"
    else:
        options = tesela.onnxruntime.override()
        session, how = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"]), "custom operators"
    (y,) = session.run(None, {"x": X})
    return _judged(y, f"runs with Tesela as {how}")


def try_openvino() -> dict[str, Any]:
    import openvino
    import openvino.opset8

    import tesela.openvino

    x = openvino.opset8.parameter([2], np.float32)
    model = openvino.Model([openvino.opset8.tile(x, np.array([2], np.int64))], [x])
    if tesela.openvino.replace(model) != 1:
        return {"works": False, "text": "Tile was not replaced"}
    compiled = openvino.Core().compile_model(model, "CPU")
    return _judged(compiled([X])[0], "runs with Tesela in Python")


def _judged(y: Any, text: str) -> dict[str, Any]:
    works = np.array_equal(y, EXPECTED)
    return {"works": works, "text": text if works else f"a Tile gave {y}; expected {EXPECTED}"}


TRIALS = {"onnxruntime": try_onnxruntime, "openvino": try_openvino}


def main(name: str) -> None:
    answer: dict[str, Any] = {"works": False}
    try:
        version = importlib.import_module(name).__version__
        answer |= {"version": version.partition("-")[0]}
        answer |= TRIALS[name]()
    except Exception as error:
        answer["text"] = " ".join(str(error).split())[:500] or type(error).__name__
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
