# SPDX-License-Identifier: Apache-2.0
"""The command line as a subprocess, and small models for its tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

REPOSITORY = Path(__file__).parents[2]
# The program is next to the library under test.
_LIBRARY = Path(os.environ.get("TESELA_LIBRARY", REPOSITORY / "build" / "libtesela.so"))
PROGRAM = os.environ.get("TESELA_BIN", str(_LIBRARY.with_name("tesela")))
SANITIZED = "asan" in PROGRAM or "asan" in os.environ.get("LD_PRELOAD", "")
# For processes that run other tools, or whose memory is limited or measured: sanitizers need much.
UNSANITIZED = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

DONE, MISMATCH, USAGE, BAD, UNSUPPORTED, LIMIT, IO, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130


def tesela(*words, input=None, program=PROGRAM, **options) -> subprocess.CompletedProcess:
    """Runs the program and waits for it. Without input its standard input is empty."""
    options.setdefault("timeout", 120)
    options.setdefault("input", b"" if input is None else input)
    if "stdout" not in options:
        options["stdout"] = subprocess.PIPE
    return subprocess.run([program, *map(_word, words)], stderr=subprocess.PIPE, **options)


def _word(word) -> bytes:
    return word if isinstance(word, bytes) else os.fsencode(str(word))


def succeed(*words, **options) -> str:
    """Its standard output as text."""
    done = tesela(*words, **options)
    assert done.returncode == DONE, done
    return done.stdout.decode()


def fail(status: int, *words, **options) -> str:
    """Its message: one line, and the only output."""
    done = tesela(*words, **options)
    assert done.returncode == status, done
    message = done.stderr.decode(errors="replace")
    assert message.startswith("tesela: ") and message.count("\n") == 1 and message.endswith("\n"), message
    assert len(message) < 330
    assert not done.stdout
    return message


class PackageVerb:
    """A verb of the Python package, as a subprocess with text."""

    def __init__(self, verb: str):
        self.words = [sys.executable, "-m", "tesela", verb]

    def __call__(self, *words, **options) -> subprocess.CompletedProcess:
        return subprocess.run([*self.words, *map(str, words)], capture_output=True, text=True, timeout=120, **options)

    def fail(self, status: int, *words) -> str:
        """Its message: one line, and the only output."""
        done = self(*words)
        assert done.returncode == status and not done.stdout, done
        assert done.stderr.startswith("tesela: ") and done.stderr.count("\n") == 1 and len(done.stderr) < 330, done.stderr
        return done.stderr


def save_model(path: Path, nodes, inputs, outputs, opset=19, initializers=()) -> Path:
    """inputs, outputs: {name: (onnx type, shape)}."""
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, *info) for name, info in inputs.items()],
        [helper.make_tensor_value_info(name, *info) for name, info in outputs.items()],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in dict(initializers).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    path.write_bytes(model.SerializeToString())
    return path


def tile_model(path: Path, repeats=(2, 3), element=TensorProto.FLOAT, shape=("n", "m")) -> Path:
    """y = Tile(x, repeats) with constant repeats."""
    return save_model(
        path,
        [helper.make_node("Tile", ["x", "repeats"], ["y"], name="tile")],
        {"x": (element, shape)},
        {"y": (element, [None] * len(shape))},
        initializers={"repeats": np.array(repeats, dtype=np.int64)},
    )


def two_by_two_model(path: Path) -> Path:
    """doubled = Tile(a, repeats), larger = Resize(b, scales): two inputs and two outputs."""
    return save_model(
        path,
        [
            helper.make_node("Tile", ["a", "repeats"], ["doubled"]),
            helper.make_node("Resize", ["b", "", "scales"], ["larger"], mode="nearest"),
        ],
        {"a": (TensorProto.INT32, ["n"]), "b": (TensorProto.FLOAT, ["h", "w"])},
        {"doubled": (TensorProto.INT32, [None]), "larger": (TensorProto.FLOAT, [None, None])},
        initializers={"repeats": np.array([2]), "scales": np.array([2, 2], dtype=np.float32)},
    )


def save_pb(path: Path, array, name="") -> Path:
    tensor = array if isinstance(array, onnx.TensorProto) else numpy_helper.from_array(np.asarray(array), name)
    path.write_bytes(tensor.SerializeToString())
    return path


def save_npy(path: Path, array) -> Path:
    np.save(path, array)
    return path
