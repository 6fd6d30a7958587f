# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime, OpenVINO and PyTorch, each with a model of one operator and bound buffers."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper
from runner import Job, Runner, Unable

ONNX_TYPES = {"float": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "float16": TensorProto.FLOAT16,
              "bfloat16": TensorProto.BFLOAT16, "double": TensorProto.DOUBLE, "int16": TensorProto.INT16,
              "int32": TensorProto.INT32, "int64": TensorProto.INT64, "bool": TensorProto.BOOL,
              "complex128": TensorProto.COMPLEX128, "string": TensorProto.STRING, "int4": TensorProto.INT4}


def memory_only(job: Job) -> None:
    if job.workload.dtype in ("string", "int4"):
        raise Unable(f"no buffers of {job.workload.dtype}")


def dense_memory_only(job: Job) -> None:
    memory_only(job)
    if not job.workload.is_dense:
        raise Unable("no strides")


# ---- ONNX Runtime --------------------------------------------------------------------------------------------------


def onnx_model(workload) -> bytes:
    """X -> Y. Other inputs are initializers, except the shape of ConstantOfShape, so that the node is not folded."""
    kind = ONNX_TYPES[workload.dtype]
    inputs = [helper.make_tensor_value_info("X", kind, workload.source)]
    constants = {"sizes": (TensorProto.INT64, workload.target), "repeats": (TensorProto.INT64, workload.repeats),
                 "roi": (TensorProto.FLOAT, workload.roi)}
    names, attributes = ["X", "roi" if workload.roi else "", "", "sizes"], dict(workload.attributes)
    if workload.operator == "Tile":
        names = ["X", "repeats"]
    if workload.operator == "ConstantOfShape":
        names = ["shape"]
        inputs = [helper.make_tensor_value_info("shape", TensorProto.INT64, [len(workload.target)])]
        attributes = {"value": helper.make_tensor("value", kind, [1], [workload.value])}
    used = [helper.make_tensor(name, constants[name][0], [len(constants[name][1])], constants[name][1])
            for name in names if name in constants]
    node = helper.make_node(workload.operator, names, ["Y"], **attributes)
    y = helper.make_tensor_value_info("Y", kind, workload.target)
    graph = helper.make_graph([node], "one", inputs, [y], used)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9).SerializeToString()


def onnxruntime(job: Job) -> list[Runner]:
    import onnxruntime as ort

    dense_memory_only(job)
    workload = job.workload
    options = ort.SessionOptions()
    options.intra_op_num_threads = job.threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(onnx_model(workload), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own classes
        raise Unable(str(error)[:100]) from None
    binding = session.io_binding()
    kind = ONNX_TYPES[workload.dtype]
    shape = np.array(workload.target, np.int64)
    if job.x is None:
        binding.bind_cpu_input("shape", shape)
    else:
        binding.bind_input("X", "cpu", 0, kind, workload.source, job.x.ctypes.data)
    binding.bind_output("Y", "cpu", 0, kind, workload.target, job.y.ctypes.data)

    def call():
        session.run_with_iobinding(binding)

    try:
        call()
    except Exception as error:
        raise Unable(str(error)[:100]) from None
    return [Runner("onnxruntime", call, lambda: job.y)]


# ---- OpenVINO ------------------------------------------------------------------------------------------------------

OPENVINO_TYPES = {"float": "f32", "uint8": "u8", "float16": "f16", "bfloat16": "bf16", "double": "f64",
                  "int16": "i16", "int32": "i32", "int64": "i64", "bool": "boolean"}


# For larger images, preparing a filter takes half a minute, and each call a second.
MOST_FILTERED = 4_000_000


def openvino_mode(workload) -> str:
    """OpenVINO's `linear` has its own antialias, which is a different function."""
    if workload.antialias and np.prod([workload.source[axis] for axis in workload.resized]) > MOST_FILTERED:
        raise Unable("half a minute for an image")
    if workload.antialias:
        return "bicubic_pillow" if workload.mode == "cubic" else "bilinear_pillow"
    return "linear_onnx" if workload.mode == "linear" else workload.mode


def openvino_node(workload, x):
    from openvino import opset8, opset11

    if workload.operator == "Tile":
        return opset8.tile(x, np.array(workload.repeats, np.int64))
    axes = workload.resized
    sizes = np.array([workload.target[axis] for axis in axes], np.int64)
    return opset11.interpolate(
        x, sizes, openvino_mode(workload), "sizes", coordinate_transformation_mode=workload.coordinates,
        nearest_mode=workload.rounding, antialias=workload.antialias, cube_coeff=workload.cubic_coeff_a,
        axes=np.array(axes, np.int64))


def openvino(job: Job) -> list[Runner]:
    """One runner for each precision; the first with our result is used."""
    import openvino as ov

    dense_memory_only(job)
    workload = job.workload
    if workload.roi:
        raise Unable("no crops")
    if workload.dtype not in OPENVINO_TYPES:
        raise Unable(f"no {workload.dtype}")
    kind = getattr(ov.Type, OPENVINO_TYPES[workload.dtype])
    precisions = ["f32"] + [OPENVINO_TYPES[workload.dtype]] * (workload.dtype in ("float16", "bfloat16"))
    try:
        return [openvino_runner(job, kind, precision) for precision in reversed(precisions)]
    except Unable:
        raise
    except Exception as error:  # its own classes
        raise Unable(str(error).strip().splitlines()[-1][:100]) from None


def openvino_runner(job: Job, kind, precision: str) -> Runner:
    import openvino as ov
    from openvino import opset8

    workload = job.workload
    if job.x is None:
        x = opset8.parameter([len(workload.target)], ov.Type.i64)
        node = opset8.broadcast(ov.op.Constant(np.array(workload.value).astype(job.y.dtype)), x)
        given = ov.Tensor(np.array(workload.target, np.int64))
    else:
        x = opset8.parameter(list(workload.source), kind)
        node = openvino_node(workload, x)
        given = openvino_tensor(job.x, kind)
    settings = {"INFERENCE_NUM_THREADS": job.threads, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision}
    request = ov.Core().compile_model(ov.Model([node], [x], "one"), "CPU", settings).create_infer_request()
    request.set_output_tensor(openvino_tensor(job.y, kind))
    # The Python wrapper's infer copies outputs; this is the call that it makes.
    bare = super(type(request), request).infer
    bare(given, True, False)
    return Runner("openvino", lambda: bare(given, True, False), lambda: job.y)


def openvino_tensor(array: np.ndarray, kind):
    import openvino as ov

    if array.dtype == np.dtype(ml_dtypes.bfloat16):
        return ov.Tensor(array.view(np.uint16), ov.Shape(array.shape), kind)
    return ov.Tensor(array, shared_memory=True)


# ---- PyTorch -------------------------------------------------------------------------------------------------------


def torch_tensor(array: np.ndarray):
    import torch

    if array.dtype == np.dtype(ml_dtypes.bfloat16):
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def numpy_array(tensor) -> np.ndarray:
    import torch

    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def torch_options(workload, rank: int) -> list[dict]:
    if workload.mode == "nearest":
        return [{"mode": "nearest"}, {"mode": "nearest-exact"}]
    kind = "bicubic" if workload.mode == "cubic" else {1: "linear", 2: "bilinear", 3: "trilinear"}.get(rank)
    options = {"mode": kind, "align_corners": workload.coordinates == "align_corners"}
    return [options | {"antialias": True} if workload.antialias else options]


def torch_resize(workload, x, y, options: dict, same: bool) -> Runner:
    import torch.nn.functional as F

    rank = len(workload.source)
    last = workload.resized[0] == 1 and workload.resized[-1] < rank - 1
    spatial = range(1, rank - 1) if last else range(2, rank)
    if last:  # channels last: a channels-first view of the same memory
        x = x.permute(0, rank - 1, *range(1, rank - 1))
    size = tuple(workload.target[axis] for axis in spatial)
    if not set(workload.resized) <= set(spatial):
        raise Unable("batch and channels must stay")
    back = (0, *range(2, rank), 1)
    made = []

    def call():
        made[:] = [F.interpolate(x, size=size, **options)]

    def call_and_copy():
        y.copy_(F.interpolate(x, size=size, **options))

    call()
    if not workload.is_dense and made[0].stride() != y.stride():  # it chose another layout than the workload's
        return Runner("torch", call_and_copy, lambda: numpy_array(y), same)
    return Runner("torch", call, lambda: numpy_array(made[0].permute(*back) if last else made[0]), same)


def torch_crop(workload, x) -> Runner:
    """With its sampling at given positions, which are made before the timing."""
    import torch
    import torch.nn.functional as F

    if workload.antialias or workload.resized != list(range(2, len(workload.source))):
        raise Unable("crops all axes behind the channels, without antialias")
    # Its positions: -1 is the first input, 1 the last one; of the last axis first.
    along = [torch.linspace(*(2 * end - 1 for end in workload.ends(axis)), workload.target[axis]) for axis in workload.resized]
    grid = torch.stack(torch.meshgrid(*along, indexing="ij")[::-1], -1).to(x.dtype)
    grid = grid.expand(workload.source[0], *grid.shape).contiguous()
    mode = {"nearest": "nearest", "linear": "bilinear", "cubic": "bicubic"}[workload.mode]
    made = []

    def call():
        made[:] = [F.grid_sample(x, grid, mode, padding_mode="zeros", align_corners=True)]

    return Runner("torch", call, lambda: numpy_array(made[0]))


def pytorch(job: Job) -> list[Runner]:
    import torch

    memory_only(job)
    workload = job.workload
    torch.set_num_threads(job.threads)
    y = torch_tensor(job.y)
    if job.x is None:
        return [Runner("torch", lambda: y.fill_(workload.value), lambda: job.y)]
    x = torch_tensor(job.x)
    if workload.operator == "Tile":
        return [torch_tile(job, x, y)]
    # Its code for 8-bit images uses 16-bit fixed point.
    same = workload.mode == "nearest" or workload.dtype != "uint8" or len(workload.source) != 4
    try:
        runners = [torch_crop(workload, x)] if workload.roi else [
            torch_resize(workload, x, y, options, same) for options in torch_options(workload, len(workload.source) - 2)]
        for runner in runners:
            runner.call()
    except (RuntimeError, NotImplementedError, ValueError) as error:
        raise Unable(str(error)[:100]) from None
    return runners


def torch_tile(job: Job, x, y) -> Runner:
    if not job.workload.is_dense:
        raise Unable("no strides")
    pairs = [extent for n, r in zip(job.workload.source, job.workload.repeats) for extent in (r, n)]
    ones = [extent for n in job.workload.source for extent in (1, n)]
    source, target = x.view(ones).expand(pairs), y.view(pairs)
    return Runner("torch", lambda: target.copy_(source), lambda: job.y)


MAKERS = (onnxruntime, openvino, pytorch)
