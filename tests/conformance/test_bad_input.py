# SPDX-License-Identifier: Apache-2.0
"""The catalogue of bad inputs, bad_input.json: inputs that are rejected, with the kind of error, and
unusual inputs that are valid. The rows about operators are tested here, with their messages. test_bad_input_routes.py
has the other routes of these rows, and of files.

Rows begin with their number in the catalogue, which names the tests of the rows about files,
processes and languages. Every message names the operator with its version, the node, the input or attribute,
the value and what is allowed, in at most 300 characters.
"""

from __future__ import annotations

import ctypes as c
import json
import math
import mmap
import os
import re
import resource
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import case_rules
import emulation
import library
import numpy as np
import pytest
from case import NUMPY_TYPES, ResizeCase, TileCase
from library import TeselaError
from named_tests import names_a_test
from test_schema_golden import golden

NAN, INF = math.nan, math.inf
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
CROP = {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
GIB = 2**30


class Limits(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("max_output_bytes", c.c_uint64),
        ("max_rank", c.c_uint64),
        ("max_nodes", c.c_uint64),
        ("max_nesting", c.c_uint64),
        ("max_pixels", c.c_uint64),
        ("max_working_bytes", c.c_uint64),
    ]


def limits(**given: int) -> Limits:
    """The default limits (4 GiB of output and so on), except those given."""
    return Limits(struct_size=c.sizeof(Limits), **given)


@dataclass
class Of:
    """A tensor with type and extents but no data."""

    shape: tuple
    dtype: str = "float"


def floats(*values: float) -> tuple:
    return np.array(values, dtype=np.float32), "float"


def ints(*values: int) -> tuple:
    return np.array(values, dtype=np.int64), "int64"


EMPTY = floats()


class Plan(library.Plan):
    """A plan whose inputs may also be of kind Of; out: None, or where library.Limits are."""

    def __init__(self, op: library.Op, inputs: list, bounds: Limits | None = None):
        self.handle = c.c_void_p()
        tensors, self.keep = [], []
        for entry in inputs:
            if entry is None:
                tensors.append(None)
            elif isinstance(entry, Of):
                extents = library.int64s(entry.shape)
                self.keep.append(extents)
                code = library.dtype_code(entry.dtype)
                tensors.append(library.Tensor(None, code, len(entry.shape), extents, None, 0))
            else:
                view = library.View(*entry)
                self.keep.append(view)
                tensors.append(view.tensor)
        pointers = (c.POINTER(library.Tensor) * max(len(tensors), 1))(
            *[c.pointer(tensor) if tensor else None for tensor in tensors]
        )
        library.call(
            "tesela_plan_create",
            op.handle,
            c.c_size_t(len(tensors)),
            pointers,
            None if bounds is None else c.byref(bounds),
            c.byref(self.handle),
        )
        rank = library.LIBRARY.tesela_plan_output_rank(self.handle)
        self.shape = tuple(library.LIBRARY.tesela_plan_output_extents(self.handle)[:rank])
        code = library.LIBRARY.tesela_plan_dtype(self.handle)
        self.dtype = library.LIBRARY.tesela_dtype_name(code).decode()
        rank = library.LIBRARY.tesela_plan_input_rank(self.handle)
        self.input_shape = tuple(library.LIBRARY.tesela_plan_input_extents(self.handle)[:rank])


@dataclass
class Row:
    """number: in the catalogue, or 0. kind None: valid; `words` is then the output's shape."""

    number: int
    op: str
    inputs: list
    kind: str | None
    words: object
    attributes: dict = field(default_factory=dict)
    bounds: Limits | None = None

    def plan(self) -> Plan:
        type_, _, version = self.op.partition("-")
        op = library.Op(type_, int(version), self.attributes, node="up1")
        return Plan(op, self.inputs, self.bounds)

    def name(self) -> str:
        return f"{self.number}-{self.op}-{self.kind or 'legal'}"


def resize(number, inputs, kind, words, bounds=None, version=19, **attributes) -> Row:
    return Row(number, f"Resize-{version}", inputs, kind, words, attributes, bounds)


def tile(number, x, repeats, kind, words, bounds=None, version=13) -> Row:
    return Row(number, f"Tile-{version}", [x, repeats], kind, words, {}, bounds)


def tile1(number, x, tiles, axis, kind, words) -> Row:
    return Row(number, "Tile-1", [x, tiles, axis], kind, words)


def fill(number, shape, kind, words, bounds=None, version=25, **attributes) -> Row:
    return Row(number, f"ConstantOfShape-{version}", [shape], kind, words, attributes, bounds)


def byte(value: int = 0) -> tuple:
    return np.array([value], dtype=np.uint8), "uint8"


X, X4 = Of((1, 1, 4, 4)), Of((4,))
UP = floats(1, 1, 2, 2)
FINITE = "expected a finite number above 0"

TILE_ROWS = [
    tile(
        1, Of((2, 3)), ints(-1, 2), "value", "input 'repeats': entry 0 is -1; expected at least 0"
    ),
    tile(
        1, Of((2, 3)), ints(2, -1), "value", "input 'repeats': entry 1 is -1; expected at least 0"
    ),
    tile(
        2, Of((2, 3)), ints(INT64_MIN, 1), "value", f"entry 0 is {INT64_MIN}; expected at least 0"
    ),
    tile(3, X4, ints(2**62), "shape", f"axis 0: extent 4 times {2**62} repeats overflows int64"),
    tile(4, Of((1, 1, 1)), ints(10**8, 10**8, 10**8), "shape", "100000000x100000000x100000000"),
    tile(5, Of((65537,)), ints(65536), None, (65537 * 65536,)),
    tile(
        5,
        Of((65537,)),
        ints(65536),
        "limit",
        r"takes 17180131328 bytes; the limit is 4294967296",
        limits(),
    ),
    tile(5, Of((2**30 - 1, 4)), ints(1, 1), "limit", r"takes 17179869168 bytes", limits()),
    tile(6, Of((2, 3)), ints(*[1] * 8), "count", "has length 8; expected 2"),
    tile(7, Of((2, 3)), ints(2), "count", r"has length 1; expected 2 \(the rank of 'input'\)"),
    tile(8, Of((2, 3)), ints(0, 2), None, (0, 6)),
    tile(9, Of(()), ints(), None, ()),
    tile(9, Of(()), ints(2), "count", "has length 1; expected 0"),
    tile(10, Of((0, 2)), ints(2**62, 2**62), "shape", "axis 1: extent 2 times"),
    tile(10, Of((0, 2)), ints(2**62, 2**61), None, (0, 2**62)),
    tile(10, Of((0, 2)), ints(2**62, 2**61), None, (0, 2**62), limits()),
    tile(
        11,
        Of((2, 3)),
        (np.ones((1, 2), dtype=np.int64), "int64"),
        "rank",
        "input 'repeats' has rank 2; expected 1",
    ),
    tile(
        11,
        Of((2,)),
        (np.array(2, dtype=np.int64), "int64"),
        "rank",
        "input 'repeats' has rank 0; expected 1",
    ),
    tile(12, Of((2,)), floats(2), "type", "input 'repeats' has type float; expected int64"),
    tile(12, Of((2,)), (np.ones(1, dtype=np.int32), "int32"), "type", "int32; expected int64"),
    tile(13, Of((2,)), None, "count", "input 'repeats' is missing; it is required"),
    tile(13, None, ints(1), "count", "input 'input' is missing; it is required"),
    Row(13, "Tile-13", [Of((2,))], "count", "input 'repeats' is missing; it is required"),
    Row(13, "Tile-13", [], "count", "input 'input' is missing; it is required"),
    Row(13, "Tile-13", [X4, ints(1), ints(1)], "count", "has 3 inputs; expected at most 2"),
    Row(13, "Tile-6", [Of((2,)), floats(2), floats(0)], "count", "has 3 inputs"),
    # An axis below 0 counts from the end.
    tile1(14, Of((2, 3)), floats(2), floats(-1), None, (2, 6)),
    tile1(14, Of((2, 3)), floats(2), floats(-2), None, (4, 3)),
    tile1(
        14, Of((2, 3)), floats(2), floats(2), "value", r"'axis' is 2; expected a value in \[-2, 1\]"
    ),
    tile1(
        14, Of((2, 3)), floats(2), floats(-3), "value", r"'axis' is -3; expected a value in \[-2"
    ),
    tile1(14, Of((2, 3)), floats(2), floats(2**31), "value", "'axis' is 2147483648; expected"),
    tile1(14, Of((2, 3)), ints(2), ints(INT64_MAX), "value", f"'axis' is {INT64_MAX}; expected"),
    tile1(14, Of((2, 3)), floats(-1), floats(0), "value", "'tiles' is -1; expected at least 0"),
    tile1(
        14, Of((2, 3)), floats(1.5), floats(0), "value", "'tiles' is 1.5; expected a whole number"
    ),
    tile1(
        14, Of((2, 3)), floats(NAN), floats(0), "value", "'tiles' is nan; expected a whole number"
    ),
    tile1(
        14, Of((2, 3)), floats(2), floats(INF), "value", "'axis' is inf; expected a whole number"
    ),
    tile1(
        14, Of((2, 3)), floats(1e30), floats(0), "value", "'tiles' is .*; expected a whole number"
    ),
    tile1(
        14, Of((2, 3)), floats(2, 2), floats(0), "value", "'tiles' has shape 2; expected a scalar"
    ),
    tile1(14, Of((2, 3)), floats(), floats(0), "value", "'tiles' has shape 0; expected a scalar"),
    tile1(14, Of(()), floats(2), floats(0), "value", "'axis' is 0; expected"),
    tile1(14, Of((2, 3)), ints(2**62), ints(0), "shape", "axis 0: extent 2 times"),
    tile1(
        14,
        Of((2, 3), "int32"),
        floats(2),
        floats(0),
        "type",
        "'input' has type int32; expected one of",
    ),
    tile(
        16,
        Of((1,), "string"),
        ints(10**9),
        "limit",
        "takes 16000000000 bytes; the limit is",
        limits(),
    ),
    tile(0, Of((1,) * 65), ints(*[1] * 65), "limit", "rank 65; the limit is 64", limits()),
    tile(0, Of((1,) * 65), ints(*[1] * 65), None, (1,) * 65),
    tile(
        0, Of((2,), "float8e5m2"), ints(1), "type", "'input' has type float8e5m2; expected one of"
    ),
]
FILL_ROWS = [
    fill(17, ints(-10), "shape", "input 'input': entry 0 is -10; expected at least 0"),
    fill(18, ints(-2, -3), "shape", "entry 0 is -2; expected at least 0"),
    fill(18, ints(5, INT64_MIN), "shape", f"entry 1 is {INT64_MIN}; expected at least 0"),
    fill(18, ints(0, -1), "shape", "entry 1 is -1; expected at least 0"),
    fill(19, ints(2**62, 8), "shape", f"shape {2**62}x8 has more than"),
    fill(19, ints(2**31, 2**31), "shape", f"float tensor of shape {2**31}x{2**31} has more than"),
    fill(19, ints(2**32, 2**32), "shape", "has more than 2.63 - 1 elements", value=byte()),
    fill(19, ints(INT64_MAX), "shape", f"float tensor of shape {INT64_MAX} has more than"),
    fill(19, ints(INT64_MAX), None, (INT64_MAX,), value=byte()),
    fill(19, ints(INT64_MAX), "limit", f"takes {INT64_MAX} bytes", limits(), value=byte()),
    fill(20, ints(10**12), "limit", "takes 4000000000000 bytes; the limit is 4294967296", limits()),
    fill(20, ints(2**32), "limit", "takes 17179869184 bytes; the limit is 4294967296", limits()),
    fill(20, ints(10**12), None, (10**12,)),
    fill(20, ints(2**30), None, (2**30,), limits()),
    fill(20, ints(2**30 + 1), "limit", "takes 4294967300 bytes", limits()),
    fill(20, ints(10), "limit", "takes 40 bytes; the limit is 39", limits(max_output_bytes=39)),
    fill(20, ints(10), None, (10,), limits(max_output_bytes=40)),
    # An empty tensor is legal whenever each of its extents is.
    fill(21, ints(0, 2**62, 2**62), None, (0, 2**62, 2**62)),
    fill(21, ints(0, 2**62, 2**62), None, (0, 2**62, 2**62), limits()),
    fill(21, ints(2**40, 2**40, 0), None, (2**40, 2**40, 0), limits()),
    fill(
        22, ints(2), "attribute", "attribute 'value' has 2 elements; expected 1", value=floats(1, 2)
    ),
    fill(22, ints(2), "attribute", "attribute 'value' has 0 elements; expected 1", value=EMPTY),
    fill(
        25,
        ints(2),
        "type",
        "attribute 'value' has type string; expected one of",
        value=(np.array([b"a"], dtype=object), "string"),
    ),
    fill(
        25,
        ints(2),
        "type",
        "'value' has type complex64; expected one of",
        value=(np.zeros(1, dtype=np.complex64), "complex64"),
    ),
    fill(
        25,
        ints(2),
        "type",
        "'value' has type bfloat16; expected one of",
        version=9,
        value=(np.zeros(1, dtype=NUMPY_TYPES["bfloat16"]), "bfloat16"),
    ),
    fill(26, ints(2), "attribute", "attribute 'sparse_value' is unknown", sparse_value=floats(1)),
    fill(26, ints(2), "type", "attribute 'value' has type FLOAT; expected TENSOR", value=1.0),
    fill(27, (np.array([[2, 3]]), "int64"), "rank", "input 'input' has rank 2; expected 1"),
    fill(27, (np.array(3), "int64"), "rank", "input 'input' has rank 0; expected 1"),
    fill(28, ints(*[1] * 1000), "limit", "rank 1000; the limit is 64", limits()),
    fill(28, ints(*[1] * 65), "limit", "rank 65; the limit is 64", limits()),
    fill(28, ints(*[1] * 64), None, (1,) * 64, limits()),
    fill(28, ints(*[1] * 1000), None, (1,) * 1000),
    fill(28, ints(1, 1, 1), "limit", "rank 3; the limit is 2", limits(max_rank=2)),
    fill(29, ints(3, 5), None, (3, 5), value=(np.array([7]).astype(NUMPY_TYPES["int4"]), "int4")),
    fill(0, floats(2), "type", "input 'input' has type float; expected int64"),
    fill(0, (np.array([2], dtype=np.int32), "int32"), "type", "type int32; expected int64"),
    fill(0, None, "count", "input 'input' is missing; it is required"),
    Row(0, "ConstantOfShape-9", [], "count", "input 'input' is missing; it is required"),
    Row(0, "ConstantOfShape-9", [ints(1), ints(1)], "count", "has 2 inputs; expected at most 1"),
]

RESIZE_ROWS = [
    resize(30, [X4, None, floats(0)], "value", f"input 'scales': entry 0 is 0; {FINITE}"),
    resize(30, [X4, None, floats(-2)], "value", f"input 'scales': entry 0 is -2; {FINITE}"),
    resize(30, [X4, None, floats(-0.0)], "value", f"entry 0 is -0; {FINITE}"),
    resize(30, [X, None, floats(1, 1, 2, 0)], "value", f"entry 3 is 0; {FINITE}"),
    resize(31, [X4, None, floats(NAN)], "value", f"entry 0 is nan; {FINITE}"),
    resize(32, [X4, None, floats(INF)], "value", f"entry 0 is inf; {FINITE}"),
    resize(32, [X4, None, floats(-INF)], "value", f"entry 0 is -inf; {FINITE}"),
    resize(
        33,
        [Of((4, 4)), None, floats(1e30, 1e30)],
        "shape",
        "axis 0: extent 4 times scale .* overflows int64",
    ),
    resize(
        33, [X4, None, floats(1.25e12)], "limit", r"axis 0: extent \d+ is above the limit of 2.40"
    ),
    resize(33, [X4, None, floats(3e38)], "shape", "axis 0: extent 4 times scale"),
    resize(
        34, [Of((4, 4)), None, floats(1e9, 1e9)], "shape", "4000000000x4000000000 has more than"
    ),
    resize(35, [X4, None, floats(1e-40)], None, (0,)),
    resize(35, [X4, None, floats(1e-40)], None, (0,), mode="cubic", antialias=1),
    resize(
        36,
        [X, None, floats(*[1] * 4096)],
        "count",
        r"has length 4096; expected 4 \(the rank of X\)",
    ),
    resize(
        37,
        [X, None, floats(2, 2)],
        "count",
        r"input 'scales' has length 2; expected 4 \(the rank of X\)",
    ),
    resize(
        38,
        [X, None, UP, ints(1, 1, 8, 8)],
        "count",
        "both 'scales' and 'sizes'; expected exactly one",
    ),
    resize(38, [X, EMPTY, UP, ints(1, 1, 8, 8)], "count", "both 'scales' and 'sizes'", version=11),
    resize(39, [X], "count", "neither 'scales' nor 'sizes'; expected exactly one"),
    resize(39, [X, None, EMPTY, ints()], "count", "neither 'scales' nor 'sizes'"),
    resize(39, [X, EMPTY, EMPTY], "count", "neither 'scales' nor 'sizes'", version=11),
    resize(39, [X, EMPTY, EMPTY, ints(1, 1, 8, 8)], None, (1, 1, 8, 8)),
    resize(39, [X, EMPTY, UP, ints()], None, (1, 1, 8, 8)),
    # A size of 0 makes an empty axis.
    resize(40, [X4, None, None, ints(0)], None, (0,)),
    resize(40, [X, None, None, ints(1, 0, 4, 4)], None, (1, 0, 4, 4), mode="linear"),
    resize(
        41, [X4, None, None, ints(-1)], "value", "input 'sizes': entry 0 is -1; expected at least 0"
    ),
    resize(41, [X4, None, None, ints(INT64_MIN)], "value", f"entry 0 is {INT64_MIN}"),
    resize(
        42,
        [X, None, None, ints(1, 1, 2**31, 2**31)],
        "shape",
        "float tensor of shape .* has more than",
    ),
    resize(
        42,
        [Of((1, 1, 4, 4), "uint8"), None, None, ints(1, 1, 2**31, 2**31)],
        "limit",
        f"takes {2**62} bytes; the limit is",
        limits(),
    ),
    resize(43, [X, None, None, ints(1, 1, 2**62, 4)], "shape", "has more than 2.63 - 1"),
    resize(43, [X, None, None, ints(1, 1, 2**62, 1)], "shape", "has more than 2.63 - 1"),
    resize(43, [Of((4,), "uint8"), None, None, ints(2**41)], "limit", "above the limit of 2.40"),
    resize(43, [Of((4,), "uint8"), None, None, ints(2**40)], None, (2**40,)),
    resize(
        44, [Of((2, 2), "uint8"), None, None, ints(46341, 46341)], None, (46341, 46341), limits()
    ),
    resize(
        45,
        [Of((24000, 24000, 4), "uint8"), None, None, ints(24001, 24002, 4)],
        None,
        (24001, 24002, 4),
        limits(),
        mode="linear",
    ),
    resize(
        47,
        [X, None, UP],
        "value",
        r"attribute 'axes': entry 0 is 7; expected a value in \[-4, 3\]",
        axes=[7],
    ),
    resize(
        47, [X, None, UP], "value", r"entry 1 is -9; expected a value in \[-4, 3\]", axes=[0, -9]
    ),
    resize(47, [X, None, UP], "value", r"entry 0 is 4; expected a value in \[-4, 3\]", axes=[4]),
    resize(47, [X, None, UP], "value", f"entry 0 is {INT64_MIN}; expected", axes=[INT64_MIN]),
    resize(
        48,
        [X, None, floats(2, 2)],
        "value",
        "attribute 'axes': entry 1 is -1, and axis 3 was given before",
        axes=[3, -1],
    ),
    resize(48, [X, None, floats(2, 2)], "value", "and axis 2 was given before", axes=[2, 2]),
    resize(49, [X, None, floats(2, 3)], None, (1, 1, 8, 12), axes=[-2, -1]),
    resize(
        50,
        [X, None, None, ints(8, 8)],
        "count",
        r"'sizes' has length 2; expected 4",
        axes=[0, 1, 2, 3],
    ),
    resize(
        50,
        [X, None, None, ints(8, 8, 8, 8)],
        "count",
        r"has length 4; expected 2 \(one for each of 'axes'\)",
        axes=[2, 3],
    ),
    resize(51, [X, floats(0, 1), UP], "count", "input 'roi' has length 2; expected 8", **CROP),
    resize(51, [X, floats(*[0] * 9), UP], "count", "input 'roi' has length 9; expected 8", **CROP),
    resize(
        51,
        [X, floats(*[0] * 8), floats(2, 2)],
        "count",
        "has length 8; expected 4",
        axes=[2, 3],
        **CROP,
    ),
    resize(
        51,
        [X, (np.zeros((2, 4), dtype=np.float32), "float"), UP],
        "rank",
        "input 'roi' has rank 2; expected 1",
        **CROP,
    ),
    resize(
        52,
        [X4, floats(NAN, 1), floats(2)],
        "value",
        "'roi': entry 0 is nan; expected a finite",
        **CROP,
    ),
    resize(
        52,
        [X4, floats(0, INF), floats(2)],
        "value",
        "'roi': entry 1 is inf; expected a finite",
        **CROP,
    ),
    resize(52, [X4, floats(-1e30, 1e30), floats(2)], None, (8,), **CROP),
    resize(52, [X4, (np.array([-1e300, 1e308]), "double"), floats(2)], None, (8,), **CROP),
    resize(52, [X4, floats(1, 0), floats(2)], None, (8,), **CROP),
    resize(
        52, [X4, ints(0, 1), floats(2)], "type", "'roi' has type int64; expected one of", **CROP
    ),
    resize(53, [X4, floats(NAN), floats(2)], None, (8,), mode="linear"),
    resize(53, [X4, floats(1, 2, 3, 4, 5), floats(2)], None, (8,)),
    resize(53, [X4, ints(1), floats(2)], "type", "input 'roi' has type int64; expected one of"),
    resize(
        54,
        [Of((0,)), None, None, ints(4)],
        "shape",
        "axis 0: size 4 cannot be made from extent 0",
    ),
    resize(54, [Of((2, 0)), None, None, ints(4, 4)], "shape", "axis 1: size 4 cannot be made from extent 0"),
    resize(
        54,
        [Of((2, 0)), None, None, ints(4, 4)],
        "shape",
        "axis 1: size 4 cannot be made from extent 0",
        keep_aspect_ratio_policy="not_larger",
    ),
    resize(55, [Of((0, 3)), None, floats(2, 2)], None, (0, 6), mode="linear"),
    resize(55, [Of((0, 3)), None, None, ints(0, 6)], None, (0, 6), mode="cubic"),
    resize(
        56, [X4, None, None, ints(1)], None, (1,), coordinate_transformation_mode="align_corners"
    ),
    resize(
        57,
        [X4, None, floats(1e-3)],
        None,
        (0,),
        mode="linear",
        coordinate_transformation_mode="half_pixel_symmetric",
    ),
    resize(
        57,
        [Of((1000,)), None, floats(1.001e-3)],
        None,
        (1,),
        mode="linear",
        coordinate_transformation_mode="half_pixel_symmetric",
    ),
    resize(
        58, [Of((10**6,)), None, None, ints(1)], None, (1,), limits(), mode="linear", antialias=1
    ),
    resize(
        58,
        [Of((3 * 10**8,)), None, None, ints(1)],
        "limit",
        "the 600000000 taps of one output take 9600000000 bytes of tables; the limit is 1073741824",
        limits(),
        mode="linear",
        antialias=1,
    ),
    resize(58, [Of((2**40,)), None, None, ints(1)], "limit", "taps", mode="linear", antialias=1),
    resize(
        59, [Of((2,)), None, None, ints(2**27)], None, (2**27,), limits(), mode="cubic", antialias=1
    ),
    resize(
        60,
        [Of((2, 2)), None, None, ints(1801181592, 1846789676)],
        "shape",
        "has more than 2.63 - 1 bytes",
        mode="linear",
        antialias=1,
    ),
    resize(
        60,
        [Of((2, 2), "uint8"), None, None, ints(1801181592, 1846789676)],
        "limit",
        f"takes {1801181592 * 1846789676} bytes",
        limits(),
        mode="linear",
        antialias=1,
    ),
    resize(
        61,
        [X4, None, floats(2)],
        "attribute",
        "'antialias' is 1 in mode 'nearest'; expected 0",
        antialias=1,
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "attribute 'mode' is 'bilinear'; expected one of nearest, linear, cubic",
        mode="bilinear",
    ),
    resize(
        62, [X4, None, floats(2)], "attribute", "'mode' is 'Linear'; expected one of", mode="Linear"
    ),
    resize(62, [X4, None, floats(2)], "attribute", "'mode' is ''; expected one of", mode=""),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'coordinate_transformation_mode' is 'half pixel'; expected one of half_pixel, .*symmetric",
        coordinate_transformation_mode="half pixel",
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'nearest_mode' is 'round'; expected one of round_prefer_floor, .*_ceil, floor, ceil",
        nearest_mode="round",
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'keep_aspect_ratio_policy' is 'zz'; expected one of stretch, not_larger, not_smaller",
        keep_aspect_ratio_policy="zz",
    ),
    resize(
        62,
        [X4, None, floats(2)],
        None,
        (8,),
        version=13,
        coordinate_transformation_mode="tf_half_pixel_for_nn",
    ),
    resize(
        62,
        [X4, EMPTY, floats(2)],
        None,
        (8,),
        version=11,
        coordinate_transformation_mode="tf_half_pixel_for_nn",
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'half_pixel_symmetric'; expected one of",
        version=18,
        coordinate_transformation_mode="half_pixel_symmetric",
    ),
    resize(
        62,
        [X4, floats(2)],
        "attribute",
        "'mode' is 'cubic'; expected one of nearest, linear$",
        version=10,
        mode="cubic",
    ),
    # Checked even where they have no effect.
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'nearest_mode' is 'x'",
        mode="linear",
        nearest_mode="x",
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'exclude_outside' is 2; expected 0 or 1",
        exclude_outside=2,
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'antialias' is -1; expected 0 or 1",
        mode="linear",
        antialias=-1,
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'mode' is '" + "y" * 60 + r"\.\.\.'",
        mode="y" * 5000,
    ),
    resize(
        62,
        [X4, None, floats(2)],
        "attribute",
        "'keep_aspect_ratio_policy' is 'not_larger' together with 'scales'",
        keep_aspect_ratio_policy="not_larger",
    ),
    resize(
        63, [X4, None, floats(2)], "type", "attribute 'mode' has type INT; expected STRING", mode=1
    ),
    resize(
        63, [X4, None, floats(2)], "type", "'antialias' has type FLOAT; expected INT", antialias=1.0
    ),
    resize(
        63,
        [X4, None, floats(2)],
        "type",
        "'cubic_coeff_a' has type INT; expected FLOAT",
        cubic_coeff_a=1,
    ),
    resize(63, [X4, None, floats(2)], "type", "'axes' has type INT; expected INTS", axes=0),
    resize(
        63, [X4, None, floats(2)], "type", "'axes' has type FLOATS; expected INTS", axes=np.zeros(1)
    ),
    resize(
        65,
        [X4, None, floats(2)],
        "value",
        "'cubic_coeff_a' is nan; expected a finite",
        mode="cubic",
        cubic_coeff_a=NAN,
    ),
    resize(
        65,
        [X4, None, floats(2)],
        "value",
        "'cubic_coeff_a' is -inf; expected a finite",
        mode="cubic",
        cubic_coeff_a=-INF,
    ),
    resize(65, [X4, None, floats(2)], None, (8,), mode="cubic", cubic_coeff_a=1e30),
    resize(65, [X4, None, floats(2)], None, (8,), mode="linear", cubic_coeff_a=NAN),
    resize(65, [X4, None, floats(2)], None, (8,), extrapolation_value=NAN, **CROP),
    resize(71, [Of(()), None, floats()], None, ()),
    resize(71, [Of(())], None, ()),
    resize(71, [Of(()), None, floats(2)], "count", "has length 1; expected 0"),
    resize(
        71, [Of((1,) * 65), None, floats(*[1] * 65)], "limit", "rank 65; the limit is 64", limits()
    ),
    resize(71, [Of((1,) * 65), None, floats(*[2] * 65)], "shape", "has more than 2.63 - 1"),
    resize(
        72,
        [Of((3, 4)), None, None, ints(0, 2)],
        None,
        (0, 0),
        keep_aspect_ratio_policy="not_larger",
    ),
    resize(
        72,
        [Of((1, 4000)), None, None, ints(2**20, 1)],
        None,
        (2**20, 4000 * 2**20),
        keep_aspect_ratio_policy="not_smaller",
    ),
    resize(
        72,
        [Of((1, 4000)), None, None, ints(2**20, 1)],
        "limit",
        "takes 17592186044416000 bytes",
        limits(),
        keep_aspect_ratio_policy="not_smaller",
    ),
    resize(
        72,
        [Of((1, 2**40)), None, None, ints(2**40, 1)],
        "shape",
        "axis 1|has more than",
        keep_aspect_ratio_policy="not_smaller",
    ),
    Row(
        76,
        "Upsample-1",
        [],
        "count",
        "input 'X' is missing",
        {"height_scale": 2.0, "width_scale": 2.0},
    ),
    Row(76, "Upsample-7", [], "count", "input 'X' is missing", {"scales": np.ones(4)}),
    Row(76, "Upsample-9", [], "count", "input 'X' is missing"),
    Row(76, "Upsample-9", [X], "count", "input 'scales' is missing; it is required"),
    Row(76, "Resize-19", [], "count", "input 'X' is missing"),
    Row(
        77,
        "Upsample-1",
        [X],
        "value",
        "attribute 'height_scale': entry 0 is 0.5; expected at least 1",
        {"height_scale": 0.5, "width_scale": 2.0},
    ),
    Row(
        77,
        "Upsample-1",
        [X],
        "value",
        "'width_scale'.* is nan; expected a finite",
        {"height_scale": 2.0, "width_scale": NAN},
    ),
    Row(
        77,
        "Upsample-1",
        [X],
        "attribute",
        "attribute 'width_scale' is missing; it is required",
        {"height_scale": 2.0},
    ),
    Row(
        77,
        "Upsample-1",
        [Of((4, 4))],
        "rank",
        r"'X' has rank 2; expected 4 \(N, C, H, W\)",
        {"height_scale": 2.0, "width_scale": 2.0},
    ),
    Row(
        77,
        "Upsample-7",
        [X],
        "value",
        "attribute 'scales': entry 2 is 0.5; expected at least 1",
        {"scales": np.array([1, 1, 0.5, 1])},
    ),
    Row(
        77,
        "Upsample-7",
        [X],
        "count",
        "attribute 'scales' has length 2; expected 4",
        {"scales": np.ones(2)},
    ),
    Row(
        77,
        "Upsample-7",
        [X, UP],
        "count",
        "has 2 inputs; expected at most 1",
        {"scales": np.ones(4)},
    ),
    Row(77, "Upsample-7", [X], "attribute", "attribute 'scales' is missing; it is required"),
    Row(
        77,
        "Upsample-9",
        [X, UP],
        "attribute",
        "attribute 'scales' is unknown",
        {"scales": np.ones(4)},
    ),
    Row(
        77, "Upsample-9", [X, floats(1, 1, 2, 0.5)], "value", "entry 3 is 0.5; expected at least 1"
    ),
    Row(
        77,
        "Upsample-9",
        [X, UP],
        "attribute",
        "'mode' is 'bilinear'; expected one of",
        {"mode": "bilinear"},
    ),
    Row(
        77,
        "Upsample-1",
        [X],
        "attribute",
        "'mode' is 'linear'; expected one of nearest, bilinear",
        {"mode": "linear", "height_scale": 2.0, "width_scale": 2.0},
    ),
    # Inputs in the places of another version.
    resize(78, [X, floats(), UP], "count", "has 3 inputs; expected at most 2", version=10),
    resize(78, [X, UP], "count", "input 'scales' is missing; it is required", version=11),
    resize(78, [X, UP], "count", "neither 'scales' nor 'sizes'", version=13),
    resize(
        78,
        [X, UP, ints(1, 1, 8, 8)],
        "type",
        "input 'scales' has type int64; expected float",
        version=11,
    ),
    resize(
        78,
        [X, EMPTY, EMPTY, UP],
        "type",
        "input 'sizes' has type float; expected int64",
        version=11,
    ),
    resize(
        78,
        [X, ints(1, 1, 8, 8)],
        "type",
        "input 'scales' has type int64; expected float",
        version=10,
    ),
    resize(78, [X, None, UP, None, None], "count", "has 5 inputs; expected at most 4"),
    # Not in the catalogue.
    resize(
        0,
        [X4, None, (np.array([2.0]), "double")],
        "type",
        "'scales' has type double; expected float",
    ),
    resize(
        0,
        [X4, None, None, (np.array([2], dtype=np.int32), "int32")],
        "type",
        "'sizes' has type int32",
    ),
    resize(
        0,
        [X4, None, (np.array([[2]], dtype=np.float32), "float")],
        "rank",
        "'scales' has rank 2; expected 1",
    ),
    resize(
        0, [X4, None, None, (np.array([[2]]), "int64")], "rank", "'sizes' has rank 2; expected 1"
    ),
    resize(
        0,
        [X4, None, (np.array(2, dtype=np.float32), "float")],
        "rank",
        "'scales' has rank 0; expected 1",
    ),
    resize(
        0,
        [Of((4,), "string"), None, floats(2)],
        "type",
        "expected mode nearest, the only one for strings",
        mode="linear",
    ),
    resize(
        0,
        [Of((4,), "string"), None, floats(1)],
        "type",
        "expected mode nearest, the only one for strings",
        mode="cubic",
    ),
    resize(
        0,
        [Of((4,), "string"), floats(-1, 2), None, ints(5)],
        "type",
        "strings have no extrapolation_value",
        **(CROP | {"mode": "nearest"}),
    ),
    resize(0, [Of((2**40 + 1,), "uint8"), None, floats(0.5)], "limit", "above the limit of 2.40"),
]

ROWS = TILE_ROWS + FILL_ROWS + RESIZE_ROWS


def refuse(row: Row) -> TeselaError:
    with pytest.raises(TeselaError) as caught:
        row.plan()
    return caught.value


@pytest.mark.parametrize("row", [r for r in ROWS if r.kind], ids=Row.name)
def test_refused(row):
    error = refuse(row)
    text = str(error)
    assert error.kind == row.kind, text
    assert text.startswith(f"{row.op} node 'up1': "), text
    assert len(text) <= 300 and "\n" not in text and "/" + "src" not in text
    assert re.search(row.words, text), f"{text!r} lacks {row.words!r}"


@pytest.mark.parametrize("row", [r for r in ROWS if not r.kind], ids=Row.name)
def test_legal(row):
    assert row.plan().shape == row.words


# --- The catalogue ---------------------------------------------------------------------------------

CATALOGUE = json.loads(Path(__file__).with_name("bad_input.json").read_text())
KINDS = {"usage", "value", "attribute", "count", "type", "rank", "shape", "parse", "truncated"} | {
    "path", "unsupported", "limit", "no_memory", "io", "cancelled", "legal", "any"
}


def test_the_catalogue_is_numbered_without_gaps():
    assert [row["number"] for row in CATALOGUE] == [*range(1, len(CATALOGUE) + 1)]
    assert all(row["where"] and row["input"] and row["expected"] for row in CATALOGUE)
    assert {kind for row in CATALOGUE for kind in row["expected"]} <= KINDS
    assert {row.number for row in ROWS} - {0} <= {row["number"] for row in CATALOGUE}


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: f"{entry['number']}-{entry['where']}")
def test_each_row_of_the_catalogue_has_its_test(entry):
    kinds = {row.kind or "legal" for row in ROWS if row.number == entry["number"]}
    tests = entry.get("tests", [])
    assert kinds or tests, "neither a row here nor a test elsewhere"
    assert [place for place in tests if not names_a_test(place)] == []
    # Tests in C++ name the codes that they expect.
    if tests and not kinds and all(".cc::" in place for place in tests):
        sources = "".join((library.ROOT / place.split("::")[0]).read_text() for place in tests)
        for kind in set(entry["expected"]) - {"legal", "any"}:
            assert f"TESELA_ERROR_{kind.upper()}" in sources, kind
    # The rows here produce each of these kinds, and no other.
    assert kinds <= set(entry["expected"]) and (tests or kinds == set(entry["expected"]))


# --- Rows that need more than a plan -------------------------------------------------------------


class Info(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("dtype", c.c_int32),
        ("rank", c.c_int32),
        ("dims", c.c_void_p),
        ("constant", c.POINTER(library.Tensor)),
        ("shape_value", c.c_void_p),
        ("shape_value_count", c.c_size_t),
    ]


def infer(op: str, version: int, constants: list) -> None:
    """Shape inference with inputs that are Of or constants; only its errors are of interest."""
    infos, keep = [], []
    for entry in constants:
        if isinstance(entry, Of):
            dims = (c.c_int64 * (2 * len(entry.shape)))(
                *[v for extent in entry.shape for v in (extent, 0)]
            )
            keep.append(dims)
            code = library.dtype_code(entry.dtype)
            infos.append(Info(c.sizeof(Info), code, len(entry.shape), c.addressof(dims)))
        else:
            view = library.View(*entry)
            keep.append(view)
            infos.append(Info(c.sizeof(Info), 0, -1, None, c.pointer(view.tensor)))
    pointers = (c.POINTER(Info) * len(infos))(*[c.pointer(info) for info in infos])
    handle = c.c_void_p()
    op = library.Op(op, version, {})
    library.call("tesela_op_infer", op.handle, c.c_size_t(len(infos)), pointers, c.byref(handle))
    library.LIBRARY.tesela_inferred_destroy(handle)


def refused(kind: str, words: str, call, *arguments, **options) -> None:
    with pytest.raises(TeselaError, match=words) as caught:
        call(*arguments, **options)
    assert caught.value.kind == kind
    assert len(str(caught.value)) <= 300


def test_15_inference_checks_types_before_values():
    infer("Tile", 13, [Of((2, 3)), ints(1, 2)])
    for dtype in ("float", "int32", "double", "string", "uint8", "int4"):
        if dtype == "string":
            repeats = np.array([b"1", b"2"], dtype=object)
        else:
            repeats = np.ones(2).astype(NUMPY_TYPES[dtype])
        refused(
            "type",
            f"Tile-13: input 'repeats' has type {dtype}; expected int64",
            infer,
            "Tile",
            13,
            [Of((2, 3)), (repeats, dtype)],
        )
    refused(
        "value",
        "'repeats': entry 1 is -2; expected at least 0",
        infer,
        "Tile",
        13,
        [Of((2, 3)), ints(1, -2)],
    )
    refused(
        "count",
        "'repeats' has length 3; expected 2",
        infer,
        "Tile",
        13,
        [Of((2, 3)), ints(1, 2, 3)],
    )
    refused("shape", "overflows int64", infer, "Tile", 13, [Of((4,)), ints(2**62)])


def test_16_copies_of_strings_count_their_bytes():
    one = np.array([b"x" * 100_000], dtype=object)
    view = library.View(one, "string")
    value = c.c_void_p()
    copy = ("tesela_value_copy", c.byref(view.tensor))
    library.call(*copy, c.byref(limits(max_output_bytes=200_000)), c.byref(value))
    library.LIBRARY.tesela_value_destroy(value)
    refused(
        "limit",
        "than the limit of 50000",
        library.call,
        *copy,
        c.byref(limits(max_output_bytes=50_000)),
        c.byref(c.c_void_p()),
    )
    # A million elements that are one string of 100 kB: 100 GB as a copy.
    strides = library.int64s([0])
    many = library.Tensor(
        view.tensor.data, view.tensor.dtype, 1, library.int64s([10**6]), strides, 0
    )
    refused(
        "limit",
        "than the limit of 4294967296",
        library.call,
        "tesela_value_copy",
        c.byref(many),
        c.byref(limits()),
        c.byref(c.c_void_p()),
    )


def test_24_and_25_invalid_value_tensors():
    op = library.Op("ConstantOfShape", 9, {})
    huge = library.Tensor(None, library.dtype_code("float"), 2, library.int64s([2**62, 4]), None, 0)
    set_value = ("tesela_op_set_tensor", op.handle, b"value")
    refused("shape", "has more than 2.63 - 1 elements", library.call, *set_value, c.byref(huge))
    negative = library.Tensor(None, 1, 1, library.int64s([-2]), None, 0)
    refused(
        "shape",
        "axis 0 has extent -2; expected at least 0",
        library.call,
        *set_value,
        c.byref(negative),
    )
    unknown = library.Tensor(None, 99, 1, library.int64s([1]), None, 0)
    refused("type", "dtype 99 is unknown", library.call, *set_value, c.byref(unknown))
    no_data = library.Tensor(None, 1, 1, library.int64s([1]), None, 0)
    refused("usage", "data is NULL", library.call, *set_value, c.byref(no_data))


def test_29_packed_values_end_with_zero_bits():
    for dtype, count, size in [
        ("int4", 15, 8),
        ("uint2", 5, 2),
        ("float4e2m1", 1, 1),
        ("int4", 0, 0),
    ]:
        value = c.c_void_p()
        library.call(
            "tesela_value_create",
            c.c_int32(library.dtype_code(dtype)),
            c.c_int32(1),
            library.int64s([count]),
            None,
            c.byref(value),
        )
        view = library.Tensor()
        library.LIBRARY.tesela_value_view(value, c.byref(view))
        plan = Plan(
            library.Op(
                "ConstantOfShape", 25, {"value": (np.zeros(1).astype(NUMPY_TYPES[dtype]), dtype)}
            ),
            [ints(count)],
        )
        options = library.RunOptions(struct_size=c.sizeof(library.RunOptions))
        library.call("tesela_plan_run", plan.handle, None, c.byref(view), c.byref(options))
        if size:
            assert c.string_at(view.data, size) == bytes(size)
        library.LIBRARY.tesela_value_destroy(value)


def reserved(size: int) -> mmap.mmap:
    """Zeros; only touched pages use memory."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    return mmap.mmap(-1, size, flags=flags)


@pytest.mark.parametrize("backend", [0, 1], ids=["auto", "reference"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize(
    "shape, sizes",
    [
        ((46341, 46341), (46342, 46343)),
        ((24000, 24000, 4), (24001, 24002, 4)),
        ((1, 40000, 30000, 3), (1, 40001, 30001, 3)),
    ],
)
def test_44_to_46_last_pixel_of_areas_beyond_31_bits(backend, mode, shape, sizes):
    assert math.prod(shape) > 2**31 and math.prod(sizes) > 2**31
    plan = Plan(
        library.Op("Resize", 19, {"mode": mode}), [Of(shape, "uint8"), None, None, ints(*sizes)]
    )
    data = reserved(math.prod(shape))
    x = np.frombuffer(data, dtype=np.uint8).reshape(shape)
    near = tuple(slice(max(n - 9, 0), n) for n in shape)
    x[near] = 137
    source = library.View(x, "uint8", strided=True)
    # Two distant outputs: the last one, at the end of a large image, and an earlier one.
    lo = [m - 1 for m in sizes]
    lo[0 if shape[0] > 1 else 1] -= 1
    n = [m - k for m, k in zip(sizes, lo)]
    far = 2**31 + 99
    image = reserved(far + 1)
    strides = library.int64s([far] * len(n))
    target = library.Tensor(
        np.frombuffer(image, dtype=np.uint8).ctypes.data,
        library.dtype_code("uint8"),
        len(n),
        library.int64s(n),
        strides,
        0,
    )
    image[0] = image[far] = 1
    options = library.RunOptions(c.sizeof(library.RunOptions), 1, backend)
    library.call(
        "tesela_plan_run_region",
        plan.handle,
        c.byref(source.tensor),
        library.int64s([0] * len(n)),
        c.byref(target),
        library.int64s(lo),
        c.byref(options),
    )
    assert image[0] == image[far] == 137 and not any(image[1:4096])


def test_64_an_attribute_twice_is_refused():
    op = library.Op("Resize", 19, {"mode": "linear"}, node="up1")
    refused(
        "attribute",
        "Resize-19 node 'up1': attribute 'mode' is given twice",
        op.set,
        "mode",
        "linear",
    )
    refused("attribute", "attribute 'mode' is given twice", op.set, "mode", 1)


def found(x, dtype="float", scales=None, sizes=None, **rest) -> list:
    case = ResizeCase(np.array(x, dtype=NUMPY_TYPES[dtype]), dtype, sizes=sizes, **rest)
    if scales is not None:
        case.scales = [float(np.float32(scale)) for scale in scales]
    case_rules.validate(case)
    result = library.run(case)
    assert emulation.same_bits(emulation.emulate(case), result)
    return result.tolist()


def test_66_all_taps_outside_give_the_nearest_sample():
    # x(0) = -1 and x(3) = 10 lie more than the filter's reach outside.
    rest = {
        "mode": "linear",
        "exclude_outside": 1,
        "coordinate_transformation_mode": "half_pixel_symmetric",
    }
    assert not any(math.isnan(v) for v in found([3, 5], scales=[0.501], **rest))
    assert (
        found(
            [7, 8, 9],
            scales=[2.5],
            mode="linear",
            exclude_outside=1,
            coordinate_transformation_mode="asymmetric",
        )[-1]
        == 9
    )
    # tf_half_pixel_for_nn at x = n + 0.75.
    assert (
        found(
            [1, 2],
            scales=[2.0],
            since_version=11,
            mode="linear",
            exclude_outside=1,
            coordinate_transformation_mode="tf_half_pixel_for_nn",
        )[-1]
        == 2
    )


def test_67_crops_whose_bounds_round_the_wrong_way():
    rng = np.random.default_rng(3)
    for _ in range(300):
        n, m = int(rng.integers(1, 40)), int(rng.integers(1, 40))
        low = float(rng.choice([0.0, 1.0, 1 - 2**-24, 2**-30, rng.random()]))
        high = float(rng.choice([1.0, 1 + 2**-23, low, np.nextafter(low, 2), rng.random()]))
        roi = np.array([low, high], dtype=rng.choice(["float32", "float64"]))
        x = rng.normal(size=n).astype(np.float32)
        for mode in ("nearest", "linear", "cubic"):
            case = ResizeCase(
                x,
                "float",
                mode=mode,
                sizes=[m],
                roi=roi,
                coordinate_transformation_mode="tf_crop_and_resize",
            )
            assert emulation.same_bits(emulation.emulate(case), library.run(case)), case.word()


def test_68_and_69_ties_and_whole_positions_are_exact():
    nearest = {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
    assert found(range(20), sizes=[6], **nearest)[4] == 15
    floor = {"nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
    assert found(range(21600), sizes=[300], dtype="int32", **floor) == list(range(0, 21600, 72))


def test_70_positions_on_an_axis_beyond_2_to_the_24():
    n = 2**31 + 5
    for sizes, i, j in [
        ((2 * n,), 2 * n - 1, n - 1),
        ((2 * n,), 2**31 + 9, 2**30 + 4),
        ((n // 3,), 7, 22),
    ]:
        op = library.Op("Resize", 19, {"mode": "nearest"})
        plan = Plan(op, [Of((n,), "uint8"), None, None, ints(*sizes)])
        assert plan.input_region([i], [1]) == ((j,), (1,))
    # Linear with the fraction 1/4 and 3/4, where binary32 positions have no fraction any more.
    op = library.Op("Resize", 19, {"mode": "linear"})
    plan = Plan(op, [Of((n,)), None, None, ints(2 * n)])
    x_lo, x_n = plan.input_region([2**31 + 1], [2])
    x = np.arange(x_n[0], dtype=np.float32)
    assert plan.run_region(x, x_lo, [2**31 + 1], [2]).tolist() == [0.25, 0.75]


def test_71_rank_8_cubic_on_all_axes():
    x = np.random.default_rng(1).normal(size=[2, 1, 2, 1, 2, 1, 2, 2]).astype(np.float32)
    found(x, mode="cubic", sizes=[3, 2, 2, 2, 1, 1, 3, 2])
    found(x, mode="linear", sizes=[1, 2, 3, 1, 2, 2, 1, 3], antialias=1)


def test_73_special_values_follow_one_rule():
    x = [NAN, INF, -INF, -0.0, 1e-45, 1.0]
    up = found(x, mode="nearest", scales=[2.0])
    assert math.isnan(up[0]) and up[2:8] == [INF, INF, -INF, -INF, 0.0, 0.0]
    assert math.copysign(1, up[6]) == -1
    assert found(
        [INF, 1, 2], mode="linear", sizes=[5], coordinate_transformation_mode="align_corners"
    ) == [INF, INF, 1, 1.5, 2]
    assert all(math.isnan(v) for v in found([INF, -INF], mode="linear", sizes=[4])[1:3])


def test_74_overshoot_saturates_for_any_coefficient():
    rng = np.random.default_rng(4)
    for a in (-0.75, -3.0, -100.0, 1e6, 1e30, -3e38):
        for dtype in ("uint8", "int8", "uint16", "int16", "int32", "uint64"):
            numpy_type = NUMPY_TYPES[dtype]
            x = rng.integers(
                np.iinfo(numpy_type).min, np.iinfo(numpy_type).max, 12, dtype=numpy_type
            )
            found(x, dtype=dtype, mode="cubic", sizes=[31], cubic_coeff_a=float(np.float32(a)))
    assert found([0, 255], dtype="uint8", mode="cubic", scales=[2.0]) == [0, 58, 197, 255]


def test_75_64_bit_integers_move_exactly_and_saturate():
    edge = [2**53 + 1, INT64_MAX, INT64_MIN]
    assert found(edge, dtype="int64", mode="nearest", sizes=[3]) == edge
    assert found(edge, dtype="int64", mode="nearest", scales=[2.0])[::2] == edge
    assert found([INT64_MAX] * 2, dtype="int64", mode="linear", scales=[2.0]) == [INT64_MAX] * 4
    assert found([2**64 - 1] * 2, dtype="uint64", mode="cubic", scales=[2.0]) == [2**64 - 1] * 4
    assert found([0, 2**64 - 1], dtype="uint64", mode="cubic", scales=[2.0])[0] == 0


# --- 108, 109, 135: the C interface --------------------------------------------------------------


def create(shape, dtype="float", bounds=None) -> None:
    value = c.c_void_p()
    library.call(
        "tesela_value_create",
        c.c_int32(library.dtype_code(dtype)),
        c.c_int32(len(shape)),
        library.int64s(shape),
        None if bounds is None else c.byref(bounds),
        c.byref(value),
    )
    library.LIBRARY.tesela_value_destroy(value)


def test_108_huge_values_are_rejected_before_allocation():
    refused("shape", "has more than 2.63 - 1 elements", create, [2**62, 2**62])
    refused("shape", "has more than 2.63 - 1 bytes", create, [2**61])
    refused("shape", "axis 1 has extent -1; expected at least 0", create, [2, -1])
    refused("shape", "axis 1 has extent -1; expected at least 0", create, [0, -1])
    refused(
        "limit",
        "takes 4294967300 bytes; the limit is 4294967296",
        create,
        [2**30 + 1],
        "float",
        limits(),
    )
    refused("limit", "rank 65; the limit is 64", create, [1] * 65, "float", limits())
    create([0, 2**62, 2**62])
    for dtype, rank in [(0, 1), (1000, 1), (-1, 1), (2**31 - 1, 1)]:
        refused(
            "type",
            "is unknown",
            library.call,
            "tesela_value_create",
            c.c_int32(dtype),
            c.c_int32(rank),
            library.int64s([1]),
            None,
            c.byref(c.c_void_p()),
        )
    refused(
        "rank",
        "rank -1; expected at least 0",
        library.call,
        "tesela_value_create",
        c.c_int32(1),
        c.c_int32(-1),
        library.int64s([1]),
        None,
        c.byref(c.c_void_p()),
    )
    refused(
        "usage",
        "extents is NULL",
        library.call,
        "tesela_value_create",
        c.c_int32(1),
        c.c_int32(1),
        None,
        None,
        c.byref(c.c_void_p()),
    )


def small_plan() -> tuple:
    case = TileCase(np.arange(6, dtype=np.float32).reshape(2, 3), repeats=[2, 1])
    return case, library.plan(case)


def test_109_null_arguments():
    case, plan = small_plan()
    x, y = library.View(case.x, "float"), library.View(np.zeros((4, 3), dtype=np.float32), "float")
    op = library.Op("Tile", 13, {})
    lo, one = library.int64s([0, 0]), library.int64s([1, 1])
    out = c.c_void_p()
    tensor_x, tensor_y = c.byref(x.tensor), c.byref(y.tensor)
    calls = [
        ("tesela_op_create", None, b"Tile", c.c_int64(13), None, c.byref(out)),
        ("tesela_op_create", b"", None, c.c_int64(13), None, c.byref(out)),
        ("tesela_op_create", b"", b"Tile", c.c_int64(13), None, None),
        ("tesela_op_set_int", None, b"a", c.c_int64(1)),
        ("tesela_op_set_int", op.handle, None, c.c_int64(1)),
        ("tesela_op_set_string", op.handle, b"a", None),
        ("tesela_op_set_ints", op.handle, b"a", None, c.c_size_t(1)),
        ("tesela_op_set_floats", op.handle, b"a", None, c.c_size_t(1)),
        ("tesela_op_set_tensor", op.handle, b"a", None),
        ("tesela_op_infer", None, c.c_size_t(0), None, c.byref(out)),
        ("tesela_op_infer", op.handle, c.c_size_t(1), None, c.byref(out)),
        ("tesela_op_infer", op.handle, c.c_size_t(0), None, None),
        ("tesela_plan_create", None, c.c_size_t(0), None, None, c.byref(out)),
        ("tesela_plan_create", op.handle, c.c_size_t(1), None, None, c.byref(out)),
        ("tesela_plan_create", op.handle, c.c_size_t(0), None, None, None),
        ("tesela_plan_input_region", None, lo, one, lo, one),
        ("tesela_plan_input_region", plan.handle, None, one, lo, one),
        ("tesela_plan_input_region", plan.handle, lo, one, None, one),
        ("tesela_plan_scratch_bytes", plan.handle, lo, one, None, None),
        ("tesela_plan_run", None, tensor_x, tensor_y, None),
        ("tesela_plan_run", plan.handle, None, tensor_y, None),
        ("tesela_plan_run", plan.handle, tensor_x, None, None),
        ("tesela_plan_run_region", None, tensor_x, lo, tensor_y, lo, None),
        ("tesela_plan_describe", plan.handle, 0, None),
        ("tesela_plan_describe", None, 0, c.byref(out)),
        ("tesela_plan_axis_table", plan.handle, 0, c.c_int64(0), c.c_int64(1), None),
        ("tesela_value_create", 1, 1, one, None, None),
        ("tesela_value_copy", None, None, c.byref(out)),
        ("tesela_value_copy", tensor_x, None, None),
        ("tesela_tensor_to_doubles", None, c.byref(out)),
        ("tesela_tensor_to_doubles", tensor_x, None),
        ("tesela_tensor_from_doubles", None, c.c_size_t(6), tensor_x),
        ("tesela_ops", 0, None),
    ]
    for name, *arguments in calls:
        if name == "tesela_plan_scratch_bytes":  # the number of parameters in the header
            arguments = arguments[:4]
        refused("usage", "NULL", library.call, name, *arguments)
    # A NULL error is allowed.
    assert library.LIBRARY.tesela_ops(0, None, None) == 1
    for name in ("op", "plan", "inferred", "value", "blob", "axis_table", "model", "session"):
        getattr(library.LIBRARY, f"tesela_{name}_destroy")(None)


def test_109_tensors_that_do_not_fit_the_plan():
    case, plan = small_plan()

    def run(x, y, x_type="float", y_type="float", **options):
        source, target = library.View(x, x_type), library.View(y, y_type, strided=True)
        given = library.RunOptions(struct_size=c.sizeof(library.RunOptions), **options)
        library.call(
            "tesela_plan_run",
            plan.handle,
            c.byref(source.tensor),
            c.byref(target.tensor),
            c.byref(given),
        )

    right = np.zeros((4, 3), dtype=np.float32)
    run(case.x, right)
    np.testing.assert_array_equal(right, np.tile(case.x, (2, 1)))
    for shape in ((4, 2), (3, 3), (12,), (4, 3, 1), (5, 3)):
        refused(
            "rank" if len(shape) != 2 else "shape",
            "the output has",
            run,
            case.x,
            np.zeros(shape, dtype=np.float32),
        )
    for shape in ((2, 2), (6,), (3, 3)):
        refused(
            "rank" if len(shape) != 2 else "shape",
            "the input has",
            run,
            np.zeros(shape, dtype=np.float32),
            right,
        )
    refused(
        "type",
        "the output has type double; the plan was made for float",
        run,
        case.x,
        right.astype(np.float64),
        "float",
        "double",
    )
    refused(
        "type",
        "the input has type int32; the plan was made for float",
        run,
        case.x.astype(np.int32),
        right,
        "int32",
    )
    for threads in (-1, 1025, 10**9):
        refused(
            "usage",
            f"threads is {threads}; expected 0 to 1024",
            run,
            case.x,
            right,
            threads=threads,
        )
    refused("usage", "backend 7 is unknown", run, case.x, right, backend=7)
    executor = (c.c_size_t * 4)(32, 0, 0, 1)
    refused("usage", "parallel_for is NULL", run, case.x, right, executor=c.addressof(executor))


def test_109_misaligned_tensors_are_right():
    for dtype in ("float", "double", "int16", "complex128", "float16"):
        rng = np.random.default_rng(2)
        x = rng.integers(0, 100, (5, 7)).astype(NUMPY_TYPES[dtype])
        for mode in ("nearest", "linear", "cubic"):
            case = ResizeCase(x, dtype, mode=mode, sizes=[9, 4])
            expected = emulation.emulate(case)
            plan = library.plan(case)
            for offset in (1, 3, 8):
                raw = np.zeros(x.nbytes + 16, dtype=np.uint8)
                raw[offset : offset + x.nbytes] = np.frombuffer(x.tobytes(), dtype=np.uint8)
                out = np.full(expected.nbytes + 16, 0xA5, dtype=np.uint8)
                code = library.dtype_code(dtype)
                source = library.Tensor(
                    raw.ctypes.data + offset, code, 2, library.int64s(x.shape), None, 0
                )
                target = library.Tensor(
                    out.ctypes.data + offset, code, 2, library.int64s([9, 4]), None, 0
                )
                for backend in (0, 1):
                    options = library.RunOptions(c.sizeof(library.RunOptions), 1, backend)
                    library.call(
                        "tesela_plan_run",
                        plan.handle,
                        c.byref(source),
                        c.byref(target),
                        c.byref(options),
                    )
                    assert out[offset : offset + expected.nbytes].tobytes() == expected.tobytes()
                    around = np.delete(out, np.s_[offset : offset + expected.nbytes])
                    assert set(around.tolist()) == {0xA5}


def test_109_packed_tensors_have_no_strides_and_whole_offsets():
    data = np.zeros(8, dtype=np.uint8)
    code = library.dtype_code("uint4")
    strides = library.int64s([1])
    values = np.zeros(4)
    pointer = c.c_void_p(values.ctypes.data)

    def read(tensor):
        library.call("tesela_tensor_to_doubles", c.byref(tensor), pointer)

    address = data.ctypes.data
    refused(
        "usage",
        "always dense",
        read,
        library.Tensor(address, code, 1, library.int64s([4]), strides, 0),
    )
    for offset in (-4, 2, 3):
        refused(
            "usage",
            f"bit_offset {offset} is not valid",
            read,
            library.Tensor(address, code, 1, library.int64s([4]), None, offset),
        )
    refused(
        "usage",
        "bit_offset 8 is not valid",
        read,
        library.Tensor(address, 1, 1, library.int64s([1]), None, 8),
    )


def test_135_many_threads_and_a_cancelled_run():
    x = np.random.default_rng(3).random((64, 64)).astype(np.float32)
    case = ResizeCase(x, mode="cubic", sizes=[90, 33], antialias=1)
    plan = library.plan(case)
    expected = plan.run(x).tobytes()
    faults = []

    def work():
        for _ in range(5):
            if plan.run(x, threads=2).tobytes() != expected:
                faults.append(1)

    workers = [threading.Thread(target=work) for _ in range(64)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert not faults and not any(worker.is_alive() for worker in workers)

    stop = c.c_int32(1)
    y = np.zeros((90, 33), dtype=np.float32)
    source, target = library.View(x, "float"), library.View(y, "float", strided=True)
    options = library.RunOptions(c.sizeof(library.RunOptions), 1, cancel=c.addressof(stop))
    refused(
        "cancelled",
        "cancelled",
        library.call,
        "tesela_plan_run",
        plan.handle,
        c.byref(source.tensor),
        c.byref(target.tensor),
        c.byref(options),
    )
    stop.value = 0
    library.call(
        "tesela_plan_run",
        plan.handle,
        c.byref(source.tensor),
        c.byref(target.tensor),
        c.byref(options),
    )
    assert y.tobytes() == expected


def test_unknown_operators_and_opsets():
    def create(type_, opset, domain=""):
        return library.Op(type_, opset, {}, domain=domain)

    for type_, domain in [
        ("Foo", ""),
        ("resize", ""),
        ("", ""),
        ("Resize", "com.microsoft"),
        ("Tile", "ai.onnx.ml"),
        ("x" * 5000, ""),
    ]:
        refused(
            "unsupported", "is not supported", create, type_, 19, domain
        )
    newest = golden()["newest_opset"]
    refused(
        "unsupported",
        f"opset {newest + 1} is not supported; the newest is {newest}",
        create,
        "Tile",
        newest + 1,
    )
    for opset in (2**20, 2**40, INT64_MAX):
        refused("unsupported", f"opset {opset} is not supported", create, "Resize", opset)
    for opset in (-1, INT64_MIN):
        refused("unsupported", f"opset {opset}", create, "Resize", opset)
    refused("unsupported", "came with opset 10", create, "Resize", 9)
    refused("unsupported", "came with opset 9", create, "ConstantOfShape", 8)
    for opset in (10, 13, newest):
        refused(
            "unsupported",
            "deprecated since opset 10.* use Resize instead",
            create,
            "Upsample",
            opset,
        )
    refused("unsupported", "use Resize instead", create, "Upsample", 0)
    for domain in ("", "ai.onnx"):
        op = create("Resize", 17, domain)
        assert library.LIBRARY.tesela_op_since_version(op.handle) == 13
    since = library.LIBRARY.tesela_op_since_version
    assert since(create("Tile", 0).handle) == since(create("Tile", newest).handle)


def test_node_names_are_escaped_and_cut():
    x = np.zeros(1, dtype=np.float32)
    for name in ("a\nb", "é" * 500, "x" * 5000, "\x00"[:0], "'quoted'", "\x7f\x1b[31m"):
        op = library.Op("Tile", 13, {}, node=name)
        with pytest.raises(TeselaError) as caught:
            library.Plan(op, [(x, "float"), ints(-1)])
        text = str(caught.value)
        assert len(text.encode()) <= 300 and text.isprintable()
        assert text.startswith("Tile-13") and "entry 0 is -1; expected at least 0" in text


# --- Memory --------------------------------------------------------------------------------------


def python(script: str) -> str:
    """The output of a script, which may import this module. An address sanitizer lets allocations fail."""
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=os.path.dirname(os.path.abspath(__file__)),
        env=os.environ | {"ASAN_OPTIONS": sanitizer},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_108_allocation_failure_is_an_error():
    script = """
import test_bad_input as t
t.refused("no_memory", "memory", t.create, [2**62], "uint8")
t.refused("no_memory", "memory", t.create, [2**60])
print("done")
"""
    assert python(script) == "done\n"


def plan_everything() -> None:
    """Plans every row in an address space too small for a large allocation."""
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # its shadow memory has terabytes
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 256 * 2**20, resource.RLIM_INFINITY))
    for row in ROWS:
        try:
            row.plan()
        except TeselaError as error:
            assert error.kind == row.kind, f"{row.name()}: {error.kind}: {error}"
        else:
            assert row.kind is None, row.name()


def test_planning_takes_little_memory():
    script = """
import resource
import test_bad_input
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
test_bad_input.plan_everything()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    assert int(python(script)) < 64 * 1024  # KiB


def test_window_of_a_million_taps():
    x = np.ones(10**6, dtype=np.float32)
    case = ResizeCase(x, mode="linear", sizes=[1], antialias=1)
    assert library.run(case).tolist() == [1.0]
    case = ResizeCase(
        np.full(10**6, 255, dtype=np.uint8), "uint8", mode="cubic", sizes=[1], antialias=1
    )
    assert library.run(case).tolist() == [255]
