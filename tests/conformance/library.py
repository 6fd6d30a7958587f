# SPDX-License-Identifier: Apache-2.0
"""The C library under test, called through its public functions with ctypes.

`run(case)` computes what a case describes and returns a numpy array; an error is a TeselaError
with the name and message of the status.
"""

from __future__ import annotations

import ctypes as c
import os
import pathlib

import numpy as np
from case import ATTRIBUTES, NUMPY_TYPES, FillCase, ResizeCase, TileCase

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Error(c.Structure):
    _fields_ = [("code", c.c_int), ("message", c.c_char * 304)]


class Tensor(c.Structure):
    _fields_ = [
        ("data", c.c_void_p),
        ("dtype", c.c_int32),
        ("rank", c.c_int32),
        ("extents", c.POINTER(c.c_int64)),
        ("strides", c.POINTER(c.c_int64)),
        ("bit_offset", c.c_int64),
    ]


class String(c.Structure):
    # No c_char_p: reading one gives a copy that ends at the first NUL.
    _fields_ = [("ptr", c.c_void_p), ("length", c.c_uint64)]


class RunOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("threads", c.c_int32),
        ("backend", c.c_int),
        ("executor", c.c_void_p),
        ("cancel", c.c_void_p),
        ("scratch", c.c_void_p),
        ("scratch_bytes", c.c_size_t),
        ("on_node", c.c_void_p),
        ("on_node_context", c.c_void_p),
        ("on_progress", c.c_void_p),
        ("on_progress_context", c.c_void_p),
    ]


class TeselaError(Exception):
    """kind: the status' name ("value"); the text is the library's message."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def load() -> c.CDLL:
    """The library in TESELA_LIBRARY, or that of the release build."""
    path = os.environ.get("TESELA_LIBRARY", str(ROOT / "build" / "libtesela.so"))
    library = c.CDLL(path)
    for name in ("tesela_status_name", "tesela_dtype_name"):
        getattr(library, name).restype = c.c_char_p
    library.tesela_plan_output_extents.restype = c.POINTER(c.c_int64)
    library.tesela_plan_input_extents.restype = c.POINTER(c.c_int64)
    return library


LIBRARY = load()
PACKED_BITS = {"int4": 4, "uint4": 4, "float4e2m1": 4, "int2": 2, "uint2": 2}


def check(status: int, error: Error) -> None:
    if status != 0:
        kind = LIBRARY.tesela_status_name(status).decode()
        raise TeselaError(kind, error.message.decode())


def call(name: str, *arguments) -> None:
    error = Error()
    check(getattr(LIBRARY, name)(*arguments, c.byref(error)), error)


def dtype_code(name: str) -> int:
    return LIBRARY.tesela_dtype_from_name(name.encode())


def int64s(values) -> c.Array:
    values = list(values)
    return (c.c_int64 * max(len(values), 1))(*values)


def pack(array: np.ndarray, bits: int) -> np.ndarray:
    """One byte per element, as ml_dtypes stores 2 and 4 bits, into ONNX's packed bytes."""
    codes = array.reshape(-1).view(np.uint8).astype(np.int64) & ((1 << bits) - 1)
    per_byte = 8 // bits
    codes = np.append(codes, np.zeros(-len(codes) % per_byte, dtype=np.int64))
    shifts = np.arange(per_byte) * bits
    return (codes.reshape(-1, per_byte) << shifts).sum(axis=1).astype(np.uint8)


def unpack(raw: np.ndarray, dtype: str, shape) -> np.ndarray:
    bits = PACKED_BITS[dtype]
    codes = (raw[:, None] >> (np.arange(8 // bits) * bits)) & ((1 << bits) - 1)
    codes = codes.reshape(-1)[: int(np.prod(shape))].astype(np.uint8)
    if dtype.startswith("int"):  # ml_dtypes keeps them sign-extended
        codes = np.where(codes >> (bits - 1), codes | (0xFF << bits) & 0xFF, codes).astype(np.uint8)
    return codes.view(NUMPY_TYPES[dtype]).reshape(shape)


class View:
    """A numpy array as a tesela_tensor; keeps alive what the struct points to.

    Strings are object arrays of bytes. strided: pass the array's own strides instead of a copy.
    """

    def __init__(self, array: np.ndarray, dtype: str, strided: bool = False):
        shape = array.shape
        self.keep = [array]
        strides = None
        if dtype == "string":
            items = array.reshape(-1).tolist()
            data = (String * max(len(items), 1))(*[String(c.cast(s, c.c_void_p), len(s)) for s in items])
            pointer = c.addressof(data)
        else:
            if dtype in PACKED_BITS:
                data = pack(np.ascontiguousarray(array), PACKED_BITS[dtype])
            else:
                data = array if strided else np.ascontiguousarray(array)
                strides = int64s(data.strides) if strided else None
            pointer = data.ctypes.data
        self.extents = int64s(shape)
        self.keep += [data, strides]
        self.tensor = Tensor(pointer, dtype_code(dtype), len(shape), self.extents, strides, 0)


class Op:
    """An operator with its attributes: Python ints, floats, strings, lists of ints, arrays
    of floats, and (array, dtype) for a tensor."""

    def __init__(self, type_: str, opset: int, attributes: dict, node: str = "", domain: str = ""):
        self.handle = c.c_void_p()
        call("tesela_op_create", domain.encode(), type_.encode(), c.c_int64(opset), node.encode(),
             c.byref(self.handle))
        for name, value in attributes.items():
            self.set(name, value)

    def set(self, name: str, value) -> None:
        key = name.encode()
        if isinstance(value, str):
            call("tesela_op_set_string", self.handle, key, value.encode())
        elif isinstance(value, float):
            call("tesela_op_set_float", self.handle, key, c.c_float(value))
        elif isinstance(value, int):
            call("tesela_op_set_int", self.handle, key, c.c_int64(value))
        elif isinstance(value, tuple):
            call("tesela_op_set_tensor", self.handle, key, c.byref(View(*value).tensor))
        elif isinstance(value, np.ndarray):
            call("tesela_op_set_floats", self.handle, key,
                 (c.c_float * max(len(value), 1))(*value.tolist()), c.c_size_t(len(value)))
        else:
            call("tesela_op_set_ints", self.handle, key, int64s(value), c.c_size_t(len(value)))

    def __del__(self):
        if self.handle:
            LIBRARY.tesela_op_destroy(self.handle)


class Plan:
    """A plan; inputs: list of (array, dtype) or None for an omitted one."""

    def __init__(self, op: Op, inputs: list, limits=None):
        views = [None if entry is None else View(*entry) for entry in inputs]
        pointers = (c.POINTER(Tensor) * max(len(views), 1))(
            *[c.pointer(v.tensor) if v else None for v in views]
        )
        self.handle = c.c_void_p()
        call("tesela_plan_create", op.handle, c.c_size_t(len(views)), pointers, limits,
             c.byref(self.handle))
        rank = LIBRARY.tesela_plan_output_rank(self.handle)
        self.shape = tuple(LIBRARY.tesela_plan_output_extents(self.handle)[:rank])
        code = LIBRARY.tesela_plan_dtype(self.handle)
        self.dtype = LIBRARY.tesela_dtype_name(code).decode()
        in_rank = LIBRARY.tesela_plan_input_rank(self.handle)
        self.input_shape = tuple(LIBRARY.tesela_plan_input_extents(self.handle)[:in_rank])

    def __del__(self):
        if self.handle:
            LIBRARY.tesela_plan_destroy(self.handle)

    def input_region(self, lo, extents) -> tuple[tuple, tuple]:
        rank = len(self.input_shape)
        in_lo, in_extents = int64s([0] * rank), int64s([0] * rank)
        call("tesela_plan_input_region", self.handle, int64s(lo), int64s(extents), in_lo,
             in_extents)
        return tuple(in_lo[:rank]), tuple(in_extents[:rank])

    def run(self, x: np.ndarray | None, threads: int = 1, strided: bool = False,
            backend: int = 0, output_order=()) -> np.ndarray:
        """output_order: the axes of the output in memory, outermost first; () is the order of the shape."""
        return self._run(x, None, self.shape, None, threads, strided, backend, output_order)

    def run_region(self, x, x_lo, lo, extents, threads: int = 1, backend: int = 0) -> np.ndarray:
        """The box [lo, lo + extents) of the output from x, the box of the input at x_lo."""
        return self._run(x, x_lo, extents, lo, threads, False, backend)

    def _run(self, x, x_lo, shape, lo, threads, strided, backend, order=()) -> np.ndarray:
        options = RunOptions(struct_size=c.sizeof(RunOptions), threads=threads, backend=backend)
        source = None if x is None else View(x, self.dtype, strided)
        shape = tuple(shape)
        out, pointer = self._output(shape)
        extents = int64s(shape)
        strides = int64s(self._array(out, shape, order).strides) if order else None
        y = Tensor(pointer, dtype_code(self.dtype), len(shape), extents, strides, 0)
        x_argument = None if source is None else c.byref(source.tensor)
        if lo is None:
            call("tesela_plan_run", self.handle, x_argument, c.byref(y), c.byref(options))
        else:
            call("tesela_plan_run_region", self.handle, x_argument, int64s(x_lo), c.byref(y),
                 int64s(lo), c.byref(options))
        return self._array(out, shape, order)

    def _output(self, shape):
        count = int(np.prod(shape, dtype=np.int64))
        if self.dtype == "string":
            out = (String * max(count, 1))()
            return out, c.addressof(out)
        if self.dtype in PACKED_BITS:
            # Filled with ones, to detect bits that are not written.
            out = np.full(-(-count * PACKED_BITS[self.dtype] // 8), 0xFF, dtype=np.uint8)
            return out, out.ctypes.data
        out = np.full(count * NUMPY_TYPES[self.dtype].itemsize, 0xA5, dtype=np.uint8)
        return out, out.ctypes.data

    def _array(self, out, shape, order=()) -> np.ndarray:
        if order:
            return self._array(out, [shape[axis] for axis in order]).transpose(np.argsort(order))
        count = int(np.prod(shape, dtype=np.int64))
        if self.dtype == "string":
            array = np.empty(count, dtype=object)
            array[:] = [c.string_at(out[i].ptr, out[i].length) if out[i].length else b""
                        for i in range(count)]
            return array.reshape(shape)
        if self.dtype in PACKED_BITS:
            return unpack(out, self.dtype, shape)
        return out.view(NUMPY_TYPES[self.dtype]).reshape(shape)


# --- Cases ---------------------------------------------------------------------------------------


def resize_op(case: ResizeCase) -> Op:
    attributes = {"mode": case.mode}
    if case.op == "Resize":
        for name, (kind, since) in ATTRIBUTES.items():
            if case.since_version >= since:
                attributes[name] = kind(getattr(case, name))
        if case.axes is not None:
            attributes["axes"] = list(case.axes)
    elif case.since_version == 1:
        attributes["height_scale"] = float(case.scales[2])
        attributes["width_scale"] = float(case.scales[3])
    elif case.since_version == 7:
        attributes["scales"] = np.array(case.scales, dtype=np.float32)
    if case.extents != "standard":
        attributes["tesela.extents"] = case.extents
    return Op(case.op, case.since_version, attributes)


def resize_inputs(case: ResizeCase) -> list:
    x = (case.x, case.dtype)
    scales = None
    if case.scales is not None:
        scales = (np.array(case.scales, dtype=np.float32), "float")
    if case.op == "Upsample" and case.since_version < 9:
        return [x]
    if case.op == "Upsample" or case.since_version == 10:
        return [x, scales]
    roi = None
    if case.roi is not None:
        names = {"float16": "float16", "float32": "float", "float64": "double"}
        roi = (case.roi, names[case.roi.dtype.name])
    sizes = None
    if case.sizes is not None:
        sizes = (np.array(case.sizes, dtype=np.int64), "int64")
    if case.since_version == 11:  # roi and scales are required there, and may be empty
        empty = (np.zeros(0, dtype=np.float32), "float")
        roi = roi or empty
        scales = scales or empty
    return [x, roi, scales, sizes]


def tile_plan(case: TileCase) -> Plan:
    inputs = [(case.x, case.dtype)]
    if case.since_version == 1:
        numpy_type = NUMPY_TYPES[case.dtype]
        inputs += [(np.array(value, dtype=numpy_type), case.dtype)
                   for value in (case.tiles, case.axis)]
    else:
        inputs.append((np.array(case.repeats, dtype=np.int64), "int64"))
    return Plan(Op("Tile", case.since_version, {}), inputs)


def fill_plan(case: FillCase) -> Plan:
    attributes = {} if case.value is None else {"value": (case.value, case.dtype)}
    shape = (np.array(case.shape, dtype=np.int64), "int64")
    return Plan(Op("ConstantOfShape", case.since_version, attributes), [shape])


def plan(case) -> Plan:
    if isinstance(case, TileCase):
        return tile_plan(case)
    if isinstance(case, FillCase):
        return fill_plan(case)
    return Plan(resize_op(case), resize_inputs(case))


def workload_plan(workload, x: np.ndarray | None) -> Plan:
    """The plan of a line of tests/cases.txt. x: its input, None for ConstantOfShape."""
    target = (np.array(workload.target, np.int64), "int64")
    attributes = workload.attributes
    if workload.operator == "ConstantOfShape":
        value = np.array([workload.value]).astype(NUMPY_TYPES[workload.dtype])
        attributes = {"value": (value, workload.dtype)}
    op = Op(workload.operator, workload.opset, attributes)
    if workload.operator == "ConstantOfShape":
        return Plan(op, [target])
    if workload.operator == "Tile":
        return Plan(op, [(x, workload.dtype), (np.array(workload.repeats, np.int64), "int64")])
    roi = (np.array(workload.roi, np.float32), "float") if workload.roi else None
    return Plan(op, [(x, workload.dtype), roi, None, target])


def run(case, **options) -> np.ndarray:
    return plan(case).run(getattr(case, "x", None), **options)
