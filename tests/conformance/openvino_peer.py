# SPDX-License-Identifier: Apache-2.0
"""Runs cases in OpenVINO on the CPU. Some cases crash the process, so each batch of cases runs in a worker, which is
restarted after the case that crashed it.

As a program: reads pickled cases from the file of its first argument, from the position of its second on (one of
them, if its fourth is 1), and appends a pickled result for each to the file of its third. The fifth is an extension of
OpenVINO's, through which models then go as files; "" for none."""

from __future__ import annotations

import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy as np
from library import pack, unpack
from openvino_cases import PACKED_BITS, TYPES, numpy_type
from openvino_oracle import InterpolateCase, TileCase
from peer_process import CRASHED, ENVIRONMENT, read_results

# Types whose cases corrupt OpenVINO's memory and affect later cases in the same process.
DAMAGING = ("u2", "f4e2m1")


def run_all(cases: list, extension: str = "") -> list:
    """An array for each case, or the error message."""
    results: list = [None] * len(cases)
    for damaging in (False, True):
        chosen = [k for k, case in enumerate(cases) if (case.type in DAMAGING) == damaging]
        for k, result in zip(chosen, run_together([cases[k] for k in chosen], extension)):
            results[k] = result
    return results


def run_together(cases: list, extension: str) -> list:
    results: list = []
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "cases", pathlib.Path(folder) / "results"
        source.write_bytes(pickle.dumps(cases))
        alone = False  # an earlier case may have caused the crash
        while len(results) < len(cases):
            target.write_bytes(b"")
            words = [sys.executable, __file__, str(source), str(len(results)), str(target), "1" if alone else "0",
                     extension]
            worker = subprocess.run(words, env=ENVIRONMENT, stderr=subprocess.PIPE, timeout=2500)
            got = read_results(target)
            results += got
            if len(results) < len(cases) and worker.returncode != 0:
                assert worker.returncode < 0, worker.stderr.decode()
                if alone and not got:
                    results.append(f"{CRASHED} with signal {-worker.returncode}")
                alone = not alone
            else:
                alone = False
    return results


def fill(tensor, array: np.ndarray, name: str) -> None:
    """The array's bits, packed where the type is."""
    array = np.ascontiguousarray(array)
    raw = pack(array, PACKED_BITS[name]) if name in PACKED_BITS else array.reshape(-1).view(np.uint8)
    tensor.data.reshape(-1).view(np.uint8)[:] = raw


def constant(ov, array: np.ndarray, name: str):
    tensor = ov.Tensor(getattr(ov.Type, name), ov.Shape(list(array.shape)))
    fill(tensor, array, name)
    return ov.op.Constant(tensor, shared_memory=False)


def array_of(tensor, name: str) -> np.ndarray:
    shape = tuple(tensor.shape)
    count = int(np.prod(shape))
    raw = np.array(tensor.data).reshape(-1).view(np.uint8)
    if name in PACKED_BITS:
        return unpack(raw[: -(-count * PACKED_BITS[name] // 8)], TYPES[name], shape)
    return raw.view(numpy_type(name)).reshape(shape)


def source(ov, array, name: str, is_constant: bool, parameters: list, values: list):
    if is_constant:
        return constant(ov, array, name)
    parameters.append(ov.op.Parameter(getattr(ov.Type, name), ov.PartialShape(list(array.shape))))
    values.append((array, name))
    return parameters[-1]


def interpolate_node(ov, case: InterpolateCase, x, parameters: list, values: list):
    by_scales = case.scales is not None
    if case.version == 1:
        sizes = source(ov, np.array(case.sizes, np.int64), "i64", case.constant, parameters, values)
        attributes = {"axes": case.axes, "mode": case.mode, "align_corners": case.align_corners,
                      "antialias": case.antialias, "pads_begin": [0], "pads_end": [0]}
        return ov.opset1.interpolate(x, sizes, attributes)
    sizes = np.array(case.sizes if case.sizes is not None else [1] * len(case.axes), np.int64)
    scales = np.array(case.scales if by_scales else [1] * len(case.axes), np.float32)
    axes = ov.op.Constant(np.array(case.axes, np.int64))
    common = dict(mode=case.mode, shape_calculation_mode="scales" if by_scales else "sizes", axes=axes,
                  coordinate_transformation_mode=case.coordinates, nearest_mode=case.nearest,
                  antialias=case.antialias, cube_coeff=case.cube, pads_begin=[0], pads_end=[0])
    if case.version == 4:
        return ov.opset10.interpolate(x, source(ov, sizes, "i64", case.constant, parameters, values),
                                     source(ov, scales, "f32", case.constant, parameters, values), **common)
    chosen = (scales, "f32") if by_scales else (sizes, "i64")
    return ov.opset11.interpolate(x, source(ov, *chosen, case.constant, parameters, values), **common)


def read_again(ov, core, model):
    """A new file each time, because OpenVINO maps it."""
    with tempfile.TemporaryDirectory() as folder:
        ov.save_model(model, pathlib.Path(folder) / "model.xml", compress_to_fp16=False)
        return core.read_model(pathlib.Path(folder) / "model.xml")


def run_case(ov, core, case, through_file: bool) -> np.ndarray:
    x = ov.op.Parameter(getattr(ov.Type, case.type), ov.PartialShape(list(case.x.shape)))
    parameters, values = [x], [(case.x, case.type)]
    if isinstance(case, TileCase):
        repeats = np.array(case.repeats, numpy_type(case.repeats_type))
        node = ov.opset1.tile(x, source(ov, repeats, case.repeats_type, case.constant, parameters, values))
    else:
        node = interpolate_node(ov, case, x, parameters, values)
    model = ov.Model([ov.op.Result(node.output(0))], parameters, "case")
    if through_file:
        model = read_again(ov, core, model)
    request = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    for k, (array, name) in enumerate(values):
        fill(request.get_input_tensor(k), array, name)
    request.infer()
    return array_of(request.get_output_tensor(0), case.type)


def main(source_path: str, first: str, target: str, alone: str, extension: str) -> None:
    import openvino as ov
    import openvino.opset1
    import openvino.opset10
    import openvino.opset11

    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1})
    if extension:
        core.add_extension(extension)
    cases = pickle.loads(pathlib.Path(source_path).read_bytes())[int(first):]
    with open(target, "ab") as file:
        for case in cases[:1] if alone == "1" else cases:
            try:
                result = run_case(ov, core, case, bool(extension))
            except Exception as error:
                result = str(error) or type(error).__name__
            pickle.dump(result, file)
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
