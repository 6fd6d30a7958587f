# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds for fuzzing: small valid files of every format. Argument: a folder."""

from __future__ import annotations

import io
import pathlib
import sys
import tempfile

import numpy as np
import openvino as ov
import openvino.opset1
import openvino.opset10
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.loader import load_model_tests

FORMATS = ("", "npy", "npz", "pb", "png", "jpg")  # by number, which is the first byte of a seed


def onnx_models() -> dict[str, bytes]:
    """ONNX's node tests of these operators."""
    np.seterr(all="ignore")  # of cases of other operators
    wanted = ("test_resize_", "test_tile", "test_constantofshape", "test_upsample")
    return {case.name: case.model.SerializeToString() for case in load_model_tests(kind="node")
            if case.name.startswith(wanted)}


def ir_models() -> dict[str, bytes]:
    def saved(output, *parameters) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.xml"
            ov.save_model(ov.Model([ov.op.Result(output)], list(parameters), "m"), path, compress_to_fp16=False)
            return path.read_bytes() + b"\0" + path.with_suffix(".bin").read_bytes()

    models = {}
    for type_ in (ov.Type.f32, ov.Type.i4, ov.Type.u1, ov.Type.u3, ov.Type.string, ov.Type.nf4):
        x = ov.op.Parameter(type_, ov.PartialShape("?,2..3"))
        models[f"tile_{type_.get_type_name()}"] = saved(ov.opset1.tile(x, np.array([2, 3])).output(0), x)
    x = ov.op.Parameter(ov.Type.f32, ov.PartialShape("1,1,?,4"))
    for mode in ("nearest", "linear_onnx", "cubic"):
        node = ov.opset10.interpolate(x, np.array([1, 1]), np.array([2, 0.5], np.float32), mode=mode,
                                      shape_calculation_mode="scales", axes=np.array([2, 3]))
        models[f"interpolate_{mode}"] = saved(node.output(0), x)
    return models


def tensors() -> dict[str, bytes]:
    def of(format_: str, content: bytes) -> bytes:
        return bytes([FORMATS.index(format_)]) + content

    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    files = {}
    for name, save in (("npy", np.save), ("npz", lambda to, a: np.savez(to, x=a)),
                       ("compressed.npz", lambda to, a: np.savez_compressed(to, x=a))):
        out = io.BytesIO()
        save(out, array)
        files[name] = of(name.split(".")[-1], out.getvalue())
    for name in ("FLOAT", "INT4", "STRING", "BFLOAT16"):
        values = [b"a", b"bc"] if name == "STRING" else [1, 2]
        tensor = helper.make_tensor("t", getattr(TensorProto, name), [2], values)
        files[f"{name}.pb"] = of("pb", tensor.SerializeToString())
    files["raw.pb"] = of("pb", numpy_helper.from_array(array, "raw").SerializeToString())
    return files


def pictures(program: pathlib.Path) -> dict[str, bytes]:
    """Written with the command line, because no other installed tool writes these formats."""
    import subprocess

    files = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for channels, type_ in ((1, np.uint8), (3, np.uint8), (4, np.uint16)):
            np.save(folder / "x.npy", np.arange(6 * 5 * channels, dtype=type_).reshape(6, 5, channels))
            for format_ in ("png", "jpg") if channels < 4 else ("png",):
                words = [folder / "x.npy", folder / f"y.{format_}", "--sizes", "6,5", "--axes", "0,1", "--quiet"]
                subprocess.run([program, "resize", *words], check=True)
                content = (folder / f"y.{format_}").read_bytes()
                files[f"{channels}.{format_}"] = bytes([FORMATS.index(format_)]) + content
    return files


def main(folder: str) -> None:
    program = pathlib.Path(__file__).parents[2] / "build" / "tesela"
    for target, files in (("fuzz_onnx", onnx_models()), ("fuzz_ir", ir_models()),
                          ("fuzz_tensor", tensors() | pictures(program))):
        (pathlib.Path(folder) / target).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (pathlib.Path(folder) / target / name).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
