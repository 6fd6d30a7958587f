# SPDX-License-Identifier: Apache-2.0
"""Compares the library with ONNX Runtime and onnx's reference evaluator.

Where all follow the rules (docs/semantics.md) they must agree: copies in every bit, computed
numbers within the error of 32-bit positions. docs/differences.md shows known differences by small
examples. Each example runs here, and the expected results are stored with the peer's version.
The document is generated: after a change run this file as a script, and read the diff before you
commit it.

TESELA_CASES sets the number of random cases.
"""

from __future__ import annotations

import functools
import math
import os
import re
import sys
from dataclasses import dataclass, field, replace

import emulation
import library
import numpy as np
import onnx
import onnxruntime
import openvino_classes
import oracle
import oracle_axis
import oracle_check
import pytest
import random_cases
from case import ATTRIBUTES, NUMPY_TYPES, ResizeCase, resolve
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

CASES = int(os.environ.get("TESELA_CASES", 2000))
CHUNK = 1000
ORT, REF = "onnxruntime 1.31.1", "onnx 1.23.2 reference evaluator"
OV = "openvino 2026.4.1"
DOCUMENT = library.ROOT / "docs" / "differences.md"

onnxruntime.set_default_logger_severity(4)


@dataclass
class Node:
    """One call as an ONNX node. inputs: (array, ONNX type) or None."""

    op: str
    opset: int
    inputs: list
    attributes: dict = field(default_factory=dict)


def ours(node: Node) -> np.ndarray:
    plan = library.Plan(library.Op(node.op, node.opset, node.attributes), node.inputs)
    return plan.run(None if node.op == "ConstantOfShape" else node.inputs[0][0])


def model(node: Node) -> onnx.ModelProto:
    names = ["" if entry is None else f"i{k}" for k, entry in enumerate(node.inputs)]
    attributes = {}
    for name, value in node.attributes.items():
        if isinstance(value, tuple):
            array, dtype = value
            if dtype == "string":
                value = helper.make_tensor("v", TensorProto.STRING, array.shape, list(array))
            else:
                value = numpy_helper.from_array(array)
        elif isinstance(value, np.ndarray):
            value = value.tolist()
        attributes[name] = value
    no_axes = attributes.get("axes") == []  # make_node cannot tell the type of that
    if no_axes:
        del attributes["axes"]
    proto = helper.make_node(node.op, names, ["y"], **attributes)
    if no_axes:
        proto.attribute.add(name="axes", type=onnx.AttributeProto.INTS)
    given = [
        helper.make_tensor_value_info(name, library.dtype_code(entry[1]), list(entry[0].shape))
        for name, entry in zip(names, node.inputs)
        if entry is not None
    ]
    dtype = library.dtype_code(node.inputs[0][1])
    if node.op == "ConstantOfShape":
        dtype = library.dtype_code(node.attributes["value"][1]) if "value" in node.attributes else 1
    output = helper.make_tensor_value_info("y", dtype, None)
    graph = helper.make_graph([proto], "g", given, [output])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", node.opset)], ir_version=10
    )


def feeds(node: Node) -> dict:
    return {f"i{k}": entry[0] for k, entry in enumerate(node.inputs) if entry is not None}


def ort(node: Node, proto: onnx.ModelProto) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    given = feeds(node)
    for name, array in given.items():
        if array.dtype == object:
            given[name] = np.array([item.decode() for item in array.reshape(-1)], dtype=object)
            given[name] = given[name].reshape(array.shape)
    result = session.run(None, given)[0]
    if result.dtype == object:
        encoded = np.empty(result.shape, dtype=object)
        encoded.reshape(-1)[:] = [item.encode() for item in result.reshape(-1)]
        return encoded
    return result


def ref(node: Node, proto: onnx.ModelProto) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(ReferenceEvaluator(proto).run(None, feeds(node))[0])


PEERS = {ORT: ort, REF: ref}


def test_peers_have_the_versions_of_the_document():
    assert ORT.endswith(onnxruntime.__version__)
    assert REF.split()[1] == onnx.__version__


# --- Agreement -----------------------------------------------------------------------------------


def node_of(case: ResizeCase) -> Node:
    """The case as a node, without attributes that have their defaults."""
    attributes = {"mode": case.mode}
    for name, (_, since) in ATTRIBUTES.items():
        value = getattr(case, name)
        if (
            case.op == "Resize"
            and case.since_version >= since
            and value != getattr(ResizeCase, name)
        ):
            attributes[name] = value
    if case.axes is not None:
        attributes["axes"] = list(case.axes)
    if case.op == "Upsample" and case.since_version == 7:
        attributes["scales"] = np.array(case.scales, dtype=np.float32)
    if case.op == "Upsample" and case.since_version == 1:
        attributes |= {"height_scale": case.scales[2], "width_scale": case.scales[3]}
    return Node(case.op, case.since_version, library.resize_inputs(case), attributes)


def plain(rng: np.random.Generator, case: ResizeCase) -> None:
    """Gives the case ordinary values, because peers differ on extreme ones."""
    if case.filter == "nearest" and case.dtype not in ("float16", "float", "double"):
        small = 100
    else:
        small = 60
    if case.x.dtype.kind in "iub" or case.dtype == "string":
        low = 0 if case.x.dtype.kind != "i" else -small
        x = rng.integers(low, small, case.x.shape)
        case.x = x.astype(NUMPY_TYPES[case.dtype]) if case.dtype != "string" else case.x
    else:
        case.x = rng.normal(size=case.x.shape).astype(NUMPY_TYPES[case.dtype])


def positions(case: ResizeCase, axis) -> list[float]:
    return [float(oracle_axis.position(case, axis, i)) for i in range(axis.m)]


def settled(case: ResizeCase, axes: list, slack: float) -> list[np.ndarray]:
    """For each axis, the outputs whose position is at least `slack` from a point of decision.

    These points are integers, including the borders under tf_crop_and_resize, and halves for
    nearest.
    """
    parts = 2 if case.filter == "nearest" else 1
    masks = []
    for axis in axes:
        if axis.is_identity:
            masks.append(np.ones(axis.m, dtype=bool))
            continue
        x = np.array(positions(case, axis))
        distance = np.abs(parts * x - np.round(parts * x)) / parts
        masks.append(distance > slack * (1 + np.abs(x)))
    return masks


def float32_extent(n: int, scale: float) -> int:
    return math.floor(np.float32(n) * np.float32(scale))


def is_right_in_ort(case: ResizeCase, axes: list) -> bool:
    """Whether ONNX Runtime follows the standard for this case, if it supports it."""
    listed = case.listed_axes()
    if case.scales is not None and any(
        float32_extent(axes[d].n, s) != axes[d].m for d, s in zip(listed, case.scales)
    ):
        return False
    if not case.is_simple:
        # Its length is the output extent.
        if case.coordinates in ("align_corners", "tf_crop_and_resize") and not (
            case.sizes and case.keep_aspect_ratio_policy == "stretch"
        ):
            return False
        if case.keep_aspect_ratio_policy != "stretch" and any(d < 0 for d in case.axes or []):
            return False
        if (
            case.keep_aspect_ratio_policy != "stretch"
            and case.coordinates == "half_pixel_symmetric"
        ):
            return False
    # It copies if no extent changes, and does not resample an axis whose extent does not change.
    if any(axis.m == axis.n and not axis.is_identity for axis in axes):
        return False
    if case.x.dtype.kind in "iu" and case.filter != "nearest":
        return False
    if case.crops and (case.antialias or case.extrapolation_value not in (0.0, 0.5, 1.5)):
        return False
    if case.crops and case.x.dtype.kind in "iu" and case.extrapolation_value != 0.0:
        return False
    return True


def is_right_in_ref(case: ResizeCase, axes: list) -> bool:
    if case.op == "Upsample" or case.since_version == 10:
        return False
    if any(d < 0 for d in case.axes or []) or (case.axes == [] and case.scales != []):
        return False
    if case.coordinates == "tf_half_pixel_for_nn" or case.dtype in ("bool", "string"):
        return False
    if case.dtype in ("complex64", "complex128"):
        return False
    if case.coordinates == "pytorch_half_pixel" and any(axis.m <= 1 for axis in axes):
        return False
    if case.crops and any(axis.m <= 1 for axis in axes):
        return False
    if case.exclude_outside and case.filter == "nearest":
        return False
    if case.crops and case.roi is None:
        return False
    if case.crops and not extrapolates_right_in_ref(case):
        return False
    if case.keep_aspect_ratio_policy != "stretch":
        # Its products are doubles.
        ratio = float(next(axis.scale for axis in axes)) if axes else 1.0
        halves = [float(axis.scale) * axis.n % 1 for axis in axes]
        return ratio > 0 and all(abs(h - 0.5) > 1e-9 for h in halves)
    return True


def extrapolates_right_in_ref(case: ResizeCase) -> bool:
    """It interpolates infinities and NaNs, clips floats and changes large 64-bit integers."""
    value = case.extrapolation_value
    if case.dtype in ("int64", "uint64"):
        return abs(value) <= 2**53
    return math.isfinite(value) and bool(np.isfinite(oracle_check.rounded(value, case.dtype)))


def comparable(seed: int, peer: str) -> ResizeCase | None:
    """The random case of a seed with plain values, if it is small and has nothing extreme."""
    case = replace(random_cases.case(50_000_000 + seed), extents="standard")
    if abs(case.cubic_coeff_a) > 5 or abs(case.cubic_coeff_a) < 1e-3 or 0 in case.x.shape:
        return None
    axes = resolve(case)
    if math.prod(axis.m for axis in axes) not in range(1, 400) or case.x.ndim == 0:
        return None
    if any(axis.n > 60 for axis in axes):
        return None
    if case.roi is not None and (
        not case.crops or np.abs(case.roi.astype(float)).max(initial=0) > 5
    ):
        return None
    if case.crops and case.roi is not None:
        # One supports only binary32; the other computes in the element type.
        case.roi = case.roi.astype(np.float32 if peer == ORT else np.float64)
    plain(np.random.default_rng([seed, 7]), case)
    return case


def extrapolated(case: ResizeCase, axes: list) -> np.ndarray:
    """For each output whether it is the extrapolation value."""
    outside = []
    for axis in axes:
        where = [0.0] * axis.m if axis.is_identity else positions(case, axis)
        outside.append(np.array([oracle_axis.is_outside(case, axis, x) for x in where]))
    return functools.reduce(np.logical_or.outer, outside)


def agrees(case: ResizeCase, axes: list, peer: str, found: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether the peer's output equals ours where the peer follows the standard."""
    masks = settled(case, axes, 1e-9 if peer == REF else 3e-6)
    if case.filter != "nearest" and peer == ORT and not case.crops:
        masks = [np.ones(axis.m, dtype=bool) for axis in axes]
    looked = functools.reduce(np.logical_and.outer, masks)
    mine, other = found[looked], theirs.astype(found.dtype)[looked]
    if case.filter == "nearest" or all(axis.is_identity for axis in axes):
        if peer == REF:  # sums make its negative zeros positive
            other = np.where((mine == 0) & (other == 0), mine, other)
        return emulation.same_bits(mine, other)
    # The evaluator interpolates values that are extrapolated along another axis.
    outside = extrapolated(case, axes)
    sizes = np.full(found.shape, 1 + np.abs(case.x.astype(np.float64)).max())
    sizes[outside] = abs(case.extrapolation_value)
    step = {"float16": 2**-9, "bfloat16": 2**-6}.get(case.dtype, 2e-5)
    reach = (1 + abs(case.cubic_coeff_a)) ** max(1, len(axes) - 1)
    bounds = step * sizes * reach
    difference = np.abs(found.astype(np.float64) - theirs.astype(np.float64))
    limits = 0 if case.x.dtype.kind in "iu" else bounds
    apart = np.argwhere(looked & ~(difference <= limits))
    if len(apart) == 0:
        return True
    # In doubles the magnitude counts what weights are made of, which peers round to binary32.
    exact = oracle.resize(replace(case, x=case.x.astype(np.float64), dtype="double")).parts[0]
    for index in map(tuple, apart):
        if case.exclude_outside:  # they may divide by a sum of weights close to zero
            if exact.unsettled[index] or difference[index] <= 2**-22 * exact.magnitude[index]:
                continue
        if case.x.dtype.kind not in "iu":
            return False
        # Integers may differ by one if the exact value is very close to a half.
        value = case.extrapolation_value if outside[index] else float(exact.ratio(index))
        if abs(value - math.floor(value) - 0.5) > bounds[index]:
            return False
        if {int(found[index]), int(theirs[index])} != {math.floor(value), math.ceil(value)}:
            return False
    return True


# The minimum share of comparable cases that the peer must support.
LEAST = {ORT: 0.05, REF: 0.15}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("peer", [ORT, REF])
@pytest.mark.parametrize("start", range(0, CASES, CHUNK))
def test_peers_agree_where_they_are_right(peer, start):
    drawn = compared = 0
    is_right = {ORT: is_right_in_ort, REF: is_right_in_ref}[peer]
    for seed in range(start, min(start + CHUNK, CASES)):
        case = comparable(seed, peer)
        if case is None:
            continue
        drawn += 1
        axes = resolve(case)
        if not is_right(case, axes):
            continue
        node = node_of(case)
        proto = model(node)
        try:
            theirs = PEERS[peer](node, proto)
        except Exception:  # an unsupported kernel or rank
            continue
        compared += 1
        found = library.run(case)
        where = f"{peer}, seed {seed}: {case.word()}"
        assert found.shape == theirs.shape, where
        assert agrees(case, axes, peer, found, theirs), where
    least = LEAST[peer] * drawn
    assert compared >= max(1, least - 3 * math.sqrt(least)), (compared, drawn)


ORT_TILE = set(
    "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float double string bool".split()
)


def after_casts(found: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """The elements that ONNX Runtime may return: it tiles float16 through binary32.

    NaNs are quieted, and those outside of full groups of eight lose their payload.
    """
    bits = found.view(np.uint16)
    quiet, bare = bits | 0x200, bits & 0xFC00 | 0x200
    nan = np.where(theirs.view(np.uint16) == bare, bare, quiet)
    return np.where(np.isnan(found), nan, bits)


@pytest.mark.parametrize("peer", [ORT, REF])
def test_peers_agree_on_tile(peer):
    from test_regions import tile_case

    compared = 0
    for seed in range(CASES // 5):
        case = tile_case(np.random.default_rng([seed, 5]))
        if case.since_version == 1 or (peer == ORT and case.dtype not in ORT_TILE):
            continue
        if case.dtype == "bool":
            case.x = np.asarray(case.x.view(np.uint8) & 1).view(np.bool_)
        node = Node(
            "Tile",
            case.since_version,
            [(case.x, case.dtype), (np.array(case.repeats, dtype=np.int64), "int64")],
        )
        theirs = PEERS[peer](node, model(node))
        found = ours(node)
        assert found.shape == theirs.shape, case
        if case.dtype == "string" and peer == REF:
            theirs = theirs.astype(object)
        if case.dtype == "float16" and peer == ORT:
            found = after_casts(found, theirs)
        assert oracle_check.element_bytes(found) == oracle_check.element_bytes(theirs), case
        compared += 1
    assert compared > CASES // 20


@pytest.mark.parametrize("peer", [ORT, REF])
def test_peers_agree_on_constant_of_shape(peer):
    for version, added in random_cases.FILL_ADDITIONS.items():
        for dtype in added:
            value = np.array([1.0], dtype=np.float32).astype(NUMPY_TYPES[dtype])
            if peer == ORT and (version > 20 or dtype.startswith("float8")):
                continue
            for shape in ([], [0], [3], [2, 0, 3], [2, 3]):
                node = Node(
                    "ConstantOfShape",
                    version,
                    [(np.array(shape, dtype=np.int64), "int64")],
                    {"value": (value, dtype)},
                )
                if peer == ORT and dtype == "bfloat16":
                    continue  # its Python interface has no such array
                theirs, found = PEERS[peer](node, model(node)), ours(node)
                assert found.shape == theirs.shape, (dtype, shape)
                assert found.astype(np.float64).tolist() == theirs.astype(np.float64).tolist()


# --- Differences ---------------------------------------------------------------------------------


@dataclass
class Example:
    """A call with different results: the expected ones of Tesela and the two peers, and that of OpenVINO as
    recorded by hand, or "". at: the flat index of the output element to compare. bits: input and results
    are shown as hexadecimal digits."""

    title: str
    rule: str
    node: Node
    ours: str
    ort: str
    ref: str
    openvino: str = ""
    at: int | None = None
    bits: bool = False


REFUSES = "error"


def our_answer(example: Example) -> str:
    node = example.node
    try:
        plan = library.Plan(library.Op(node.op, node.opset, node.attributes), node.inputs)
    except library.TeselaError:
        return REFUSES
    if 0 in plan.shape:  # numpy cannot have all of these
        return f"shape {list(plan.shape)}"
    return text(ours(node), example)


def answer(peer: str, example: Example) -> str:
    """The peer's result in short. Errors while building the model are not results."""
    proto = model(example.node)
    try:
        with np.errstate(all="ignore"):
            found = PEERS[peer](example.node, proto)
    except Exception:
        return REFUSES
    return text(np.asarray(found), example)


def text(array: np.ndarray, example: Example) -> str:
    if example.at is not None and example.at < array.size:
        return number(array.reshape(-1)[example.at].item())
    if array.size == 0 or array.size > 40:
        return f"shape {list(array.shape)}"
    return digits(array) if example.bits else number(array.tolist())


def digits(array: np.ndarray) -> str:
    """The elements of a vector, highest bit first."""
    width = 2 * array.dtype.itemsize
    return "[" + ", ".join(f"{x:0{width}x}" for x in array.view(f"u{array.dtype.itemsize}")) + "]"


def number(value) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(number(entry) for entry in value) + "]"
    if isinstance(value, (bytes, str)):
        return value if isinstance(value, str) else value.decode()
    if isinstance(value, bool) or isinstance(value, int):
        return str(value)
    if isinstance(value, complex):
        return f"{value.real:.5g}{value.imag:+.5g}i"
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return "-0"
    return f"{float(value):.5g}"


def floats(*values) -> tuple:
    return np.array(values, dtype=np.float32), "float"


def scalar(value: float) -> tuple:
    return np.array(value, dtype=np.float32), "float"


def ints(*values) -> tuple:
    return np.array(values, dtype=np.int64), "int64"


def resize(x, scales=None, sizes=None, roi=None, dtype="float", opset=19, **attributes) -> Node:
    data = (np.array(x, dtype=NUMPY_TYPES[dtype]), dtype)
    scales = None if scales is None else floats(*scales)
    sizes = None if sizes is None else ints(*sizes)
    roi = None if roi is None else floats(*roi) if isinstance(roi, list) else roi
    if opset == 10:
        return Node("Resize", opset, [data, scales], attributes)
    inputs = [data, roi, scales, sizes]
    while inputs[-1] is None:
        inputs.pop()
    if opset == 11:
        inputs = [data, roi or floats(), scales or floats()] + ([sizes] if sizes else [])
    return Node("Resize", opset, inputs, attributes)


def tile(x, repeats, dtype="float", opset=13) -> Node:
    return Node("Tile", opset, [(np.array(x, dtype=NUMPY_TYPES[dtype]), dtype), ints(*repeats)])


def fill(shape, dtype=None, number=1, opset=25) -> Node:
    attributes = {}
    if dtype:
        value = np.array([number]).astype(NUMPY_TYPES[dtype])
        attributes["value"] = (value, dtype)
    return Node("ConstantOfShape", opset, [(np.array(shape, dtype=np.int64), "int64")], attributes)


CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}
ALIGN = {"coordinate_transformation_mode": "align_corners"}
ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
PYTORCH = {"coordinate_transformation_mode": "pytorch_half_pixel"}
SYMMETRIC = {"coordinate_transformation_mode": "half_pixel_symmetric"}
FOR_NN = {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}
FLOOR = {"nearest_mode": "floor"}
LINEAR, CUBIC = {"mode": "linear"}, {"mode": "cubic"}
FOUR, TENS = [1, 2, 3, 4], [10, 20, 30, 40]
PAIR = [[1, 2], [3, 4]]
INF = math.inf

SECTIONS = {
    "Resize: output size": [
        Example(
            "The output extent is the floor of a double product",
            "With scales, `m = floor(n * s)`, the product in double.",
            resize([0.0] * 10, [0.7]),
            "[0, 0, 0, 0, 0, 0]",
            "[0, 0, 0, 0, 0, 0, 0]",
            "[0, 0, 0, 0, 0, 0]",
            "seven elements",
        ),
        Example(
            "A small scale in float32",
            "As above: 49 * (1/49) is below 1.",
            resize([0.0] * 49, [1 / 49]),
            "shape [0]",
            "[0]",
            "shape [0]",
            "",
        ),
    ],
    "Resize: positions and regions": [
        Example(
            "align_corners uses the fractional length",
            "With scales, the resized length in align_corners is `n * s`. Two of onnx's node tests require this.",
            resize([FOUR], [1, 0.6], **LINEAR, **ALIGN),
            "[[1, 3.1429]]",
            "[[1, 4]]",
            "[[1, 3.1429]]",
            "uses m",
        ),
        Example(
            "An unchanged extent is resampled unless the scale is 1",
            "An axis is unchanged only if `s` is exactly 1 and `m = n`.",
            resize([[0, 1, 2]], [1, 1.3], **LINEAR),
            "[[0, 0.65385, 1.4231]]",
            "[[0, 1, 2]]",
            "[[0, 0.65385, 1.4231]]",
            "copies",
        ),
        Example(
            "A crop to the same size is still a crop",
            "Under tf_crop_and_resize an axis is unchanged only if its region is also [0, 1].",
            resize([FOUR], sizes=[1, 4], roi=[0, 0.25, 1, 0.75], **LINEAR, **CROP),
            "[[1.75, 2.25, 2.75, 3.25]]",
            "[[1, 2, 3, 4]]",
            "[[1.75, 2.25, 2.75, 3.25]]",
            REFUSES,
        ),
        Example(
            "A reversed crop of the same size flips",
            "Regions may be reversed.",
            resize([FOUR], sizes=[1, 4], roi=[0, 1, 1, 0], **LINEAR, **CROP),
            "[[4, 3, 2, 1]]",
            "[[1, 2, 3, 4]]",
            "[[4, 3, 2, 1]]",
            REFUSES,
        ),
        Example(
            "A crop ends exactly on the last sample",
            "A position within `4 * 2^-52 * max(1, n)` of a bound is set to it.",
            resize(
                [range(1, 12)],
                sizes=[1, 15],
                roi=[0, 0, 1, 1],
                extrapolation_value=-99.0,
                **LINEAR,
                **CROP,
            ),
            "11",
            "11",
            "-99",
            REFUSES,
            14,
        ),
        Example(
            "A crop to one output uses its centre",
            "With `m = 1`, tf_crop_and_resize uses the centre of its region, whatever the fractional length.",
            resize([[1, 2, 3]], [1, 1 / 3], roi=[0, 0.2, 1, 0.8], **LINEAR, **CROP),
            "[[2]]",
            "[[2]]",
            "[[1.4]]",
            REFUSES,
        ),
        Example(
            "A region includes its end",
            "Entries of `roi` are converted to double, then subtracted: x(2) = 1 exactly.",
            resize([1, 2], sizes=[3], roi=[0.2, 1], extrapolation_value=-9.0, **CROP),
            "[1, 2, 2]",
            "[1, 2, 2]",
            "[1, 2, -9]",
        ),
        Example(
            "A crop without roi is the whole input",
            "A missing `roi` is the whole input.",
            resize([FOUR], sizes=[1, 7], **LINEAR, **CROP),
            "[[1, 1.5, 2, 2.5, 3, 3.5, 4]]",
            "[[1, 1.5, 2, 2.5, 3, 3.5, 4]]",
            REFUSES,
            REFUSES,
        ),
        Example(
            "A crop with an empty roi is the whole input",
            "An empty `roi` is the whole input.",
            resize([FOUR], sizes=[1, 7], roi=floats(), **LINEAR, **CROP),
            "[[1, 1.5, 2, 2.5, 3, 3.5, 4]]",
            REFUSES,
            REFUSES,
            REFUSES,
        ),
        Example(
            "A roi of the wrong length is an error",
            "`roi` has a start and an end for each listed axis.",
            resize([FOUR], sizes=[1, 2], roi=[0, 0, 1, 1, 1, 1], **LINEAR, **CROP),
            REFUSES,
            REFUSES,
            "[[1, 4]]",
            REFUSES,
        ),
        Example(
            "roi may have any float type",
            "`roi` is float16, float or double.",
            resize(
                [FOUR],
                sizes=[1, 2],
                roi=(np.array([0, 0.25, 1, 0.75]), "double"),
                **LINEAR,
                **CROP,
            ),
            "[[1.75, 3.25]]",
            REFUSES,
            "[[1.75, 3.25]]",
            REFUSES,
        ),
        Example(
            "pytorch_half_pixel of one output uses position 0",
            "With `m = 1`, pytorch_half_pixel uses position 0.",
            resize([FOUR], sizes=[1, 1], **CUBIC, **PYTORCH),
            "[[1]]",
            "[[1]]",
            "[[0.90625]]",
            "[[1]]",
        ),
        Example(
            "pytorch_half_pixel of one output with scales",
            "As above, with a fractional length.",
            resize([FOUR], [1, 0.3], **CUBIC, **PYTORCH),
            "[[1]]",
            "[[1]]",
            "[[2.213]]",
            "",
        ),
    ],
    "Resize: rounding of positions": [
        Example(
            "Positions with sizes are exact: 14 to 2",
            "Positions with sizes are exact rationals: x(1) = 7.",
            resize(range(14), sizes=[2], **FLOOR, **ASYMMETRIC),
            "[0, 7]",
            "[0, 6]",
            "[0, 7]",
            "",
        ),
        Example(
            "Positions with sizes are exact: 14 to 18",
            "x(9) = 7 exactly.",
            resize(range(14), sizes=[18], **FLOOR, **ASYMMETRIC),
            "7",
            "7",
            "6",
            "",
            9,
        ),
        Example(
            "Positions with sizes are exact: 7 to 9",
            "x(4) = 3 exactly.",
            resize(range(7), sizes=[9], **FLOOR),
            "3",
            "3",
            "2",
            "",
            4,
        ),
        Example(
            "Positions with sizes are exact: 7 to 29",
            "x(14) = 3 exactly.",
            resize(range(7), sizes=[29], **FLOOR, **ALIGN),
            "3",
            "3",
            "2",
            "",
            14,
        ),
        Example(
            "Ties are detected exactly",
            "x(4) = 14.5 exactly, which round_prefer_ceil rounds up.",
            resize(range(20), sizes=[6], nearest_mode="round_prefer_ceil"),
            "15",
            "15",
            "15",
            "14",
            4,
        ),
        Example(
            "An integer position that is just above in doubles",
            "x(8) = 3 exactly.",
            resize([range(7)], sizes=[1, 17], **LINEAR),
            "3",
            "3",
            "2",
            "",
            8,
        ),
        Example(
            "half_pixel_symmetric just above an integer",
            "x(0) is 1 ulp above 2.",
            resize([[10, 20, 30, 40, 50]], [1, 0.214], **CUBIC, **SYMMETRIC),
            "[[30]]",
            "[[30]]",
            "[[20]]",
            REFUSES,
        ),
        Example(
            "Positions with scales are doubles",
            "x(0) = 0 + 0.5 / s - 0.5 is just below 1 for s = 1/3 in float32.",
            resize([0, 1, 2], [1 / 3], **FLOOR),
            "[0]",
            "[1]",
            "[0]",
            "",
        ),
    ],
    "Resize: attributes and inputs": [
        Example(
            "exclude_outside has no effect in mode nearest",
            "exclude_outside has no effect in mode nearest.",
            resize(FOUR, [2], exclude_outside=1, **FLOOR),
            "[1, 1, 1, 2, 2, 3, 3, 4]",
            REFUSES,
            "[0, 1, 1, 2, 2, 3, 3, 4]",
            "",
        ),
        Example(
            "exclude_outside is legal in mode linear",
            "exclude_outside is legal in every mode.",
            resize([FOUR], [1, 2], exclude_outside=1, **LINEAR),
            "[[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]]",
            REFUSES,
            "[[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]]",
            "as Tesela",
        ),
        Example(
            "exclude_outside in mode cubic",
            "exclude_outside divides by the sum of the remaining weights.",
            resize([TENS], [1, 2], exclude_outside=1, **CUBIC),
            "[[8.6364, 11.731, 16.453, 22.969, 27.031, 33.547, 38.269, 41.364]]",
            "[[8.6364, 11.731, 16.453, 22.969, 27.031, 33.547, 38.269, 41.364]]",
            "[[8.6364, 11.731, 16.453, 22.969, 27.031, 33.547, 38.269, 41.364]]",
            "ignores the attribute",
        ),
        Example(
            "exclude_outside where the remaining weights sum to 0",
            "If the weights sum to 0, the output is the sample at `floor(x)`. With a = 4, the weight at distance 1/2 is 0.",
            resize(
                [[5]], sizes=[1, 2], exclude_outside=1, cubic_coeff_a=4.0, **CUBIC, **ASYMMETRIC
            ),
            "[[5, 5]]",
            "[[5, nan]]",
            "[[5, 0]]",
        ),
        Example(
            "antialias",
            "antialias widens the filter and divides by the sum of all weights.",
            resize([TENS], sizes=[1, 3], antialias=1, **LINEAR),
            "[[12.727, 25, 37.273]]",
            "[[12.727, 25, 37.273]]",
            "[[12.727, 25, 37.273]]",
            "ignores the attribute",
        ),
        Example(
            "antialias before version 18 is an unknown attribute",
            "Attributes of newer versions are errors.",
            resize([TENS], sizes=[1, 3], opset=13, antialias=1, **LINEAR),
            REFUSES,
            REFUSES,
            "[[12.727, 25, 37.273]]",
            "",
        ),
        Example(
            "antialias in mode nearest is an error",
            "antialias in mode nearest is an error.",
            resize(TENS, sizes=[3], antialias=1),
            REFUSES,
            REFUSES,
            REFUSES,
            "accepts it",
        ),
        Example(
            "half_pixel_symmetric was added in version 19",
            "Coordinate modes of newer versions are errors.",
            resize([[100, 200]], [1, 1.3], opset=13, **LINEAR, **SYMMETRIC),
            REFUSES,
            "[[100, 200]]",
            "[[111.54, 188.46]]",
            REFUSES,
        ),
        Example(
            "tf_half_pixel_for_nn was removed in version 13",
            "Only version 11 defines it, but files use it with others. Tesela applies the rule of version 11, and `check` reports a fault.",
            resize(FOUR, [2], opset=13, **FOR_NN),
            "[1, 2, 2, 3, 3, 4, 4, 4]",
            "[1, 2, 2, 3, 3, 4, 4, 4]",
            REFUSES,
            "accepts it",
        ),
        Example(
            "tf_half_pixel_for_nn in version 11",
            "x = (i + 0.5) / s.",
            resize(FOUR, [0.5], opset=11, **FOR_NN),
            "[2, 4]",
            "[2, 4]",
            REFUSES,
            "",
        ),
        Example(
            "cubic was added in version 11",
            "Resize-10 supports nearest and linear.",
            resize([FOUR, FOUR], [1, 2], opset=10, **CUBIC),
            REFUSES,
            "[[1, 1.4062, 2, 2.5, 3, 3.5938, 4, 4.0938], [1, 1.4062, 2, 2.5, 3, 3.5938, 4, "
            "4.0938]]",
            REFUSES,
            "",
        ),
        Example(
            "Resize-10 is asymmetric",
            "Resize-10 is asymmetric; its nearest rounds up on axes that shrink.",
            resize(FOUR, [0.6], opset=10),
            "[1, 3]",
            "[1, 3]",
            REFUSES,
            "as Tesela",
        ),
        Example(
            "Both scales and sizes are an error",
            "Exactly one of scales and sizes must be given.",
            resize(FOUR, [2], [8]),
            REFUSES,
            REFUSES,
            "[1, 1, 2, 2, 3, 3, 4, 4]",
            "uses sizes",
        ),
        Example(
            "Negative axes count from the end",
            "axes may be negative.",
            resize(PAIR, [2], axes=[-1]),
            "[[1, 1, 2, 2], [3, 3, 4, 4]]",
            "[[1, 1, 2, 2], [3, 3, 4, 4]]",
            REFUSES,
            REFUSES,
        ),
        Example(
            "Negative axes with a policy",
            "axes may be negative.",
            resize(PAIR, sizes=[4], axes=[-1], keep_aspect_ratio_policy="not_larger"),
            "[[1, 1, 2, 2], [3, 3, 4, 4]]",
            "[[1, 2], [3, 4]]",
            REFUSES,
            REFUSES,
        ),
        Example(
            "Too many sizes for the axes are an error",
            "sizes has one entry for each listed axis.",
            resize(PAIR, sizes=[4, 9], axes=[1]),
            REFUSES,
            REFUSES,
            "[[1, 1, 2, 2], [3, 3, 4, 4]]",
            "",
        ),
        Example(
            "A scale of 0 is an error",
            "Scales are finite and above 0.",
            resize(FOUR, [0.0]),
            REFUSES,
            REFUSES,
            "shape [0]",
            "accepts it",
        ),
        Example(
            "A NaN scale is an error",
            "Scales are finite and above 0.",
            resize(FOUR, [math.nan]),
            REFUSES,
            REFUSES,
            REFUSES,
            "an empty tensor",
        ),
        Example(
            "A size of 0 makes an empty axis",
            "A size of 0 makes an empty axis.",
            resize(FOUR, sizes=[0]),
            "shape [0]",
            REFUSES,
            "shape [0]",
            "",
        ),
        Example(
            "Empty scales count as absent",
            "A tensor without elements counts as absent.",
            Node("Resize", 19, [floats(*FOUR), None, floats(), ints(8)]),
            "[1, 1, 2, 2, 3, 3, 4, 4]",
            REFUSES,
            "[1, 1, 2, 2, 3, 3, 4, 4]",
            "",
        ),
        Example(
            "Empty sizes count as absent",
            "A tensor without elements counts as absent.",
            Node("Resize", 19, [floats(*FOUR), None, floats(2), ints()]),
            "[1, 1, 2, 2, 3, 3, 4, 4]",
            REFUSES,
            REFUSES,
            "",
        ),
        Example(
            "A scalar is returned unchanged",
            "If there is no axis to resize, the output is the input.",
            Node("Resize", 19, [scalar(5), None, floats()]),
            "5",
            REFUSES,
            "5",
            "",
        ),
        Example(
            "keep_aspect_ratio_policy is exact",
            "`m = floor(q * n + 1/2)`, exactly: 14.5 becomes 15.",
            resize([[0.0] * 50] * 100, sizes=[29, 50], keep_aspect_ratio_policy="not_larger"),
            "shape [29, 15]",
            "shape [29, 15]",
            "shape [29, 14]",
            "ignores the attribute",
        ),
        Example(
            "keep_aspect_ratio_policy uses one scale for all axes",
            "`q` is the scale of every listed axis.",
            resize(
                np.arange(1.0, 22.0).reshape(3, 7),
                sizes=[2, 2],
                keep_aspect_ratio_policy="not_larger",
                **LINEAR,
            ),
            "[[11, 14.5]]",
            "[[11, 14.5]]",
            "[[11, 14.5]]",
            "ignores the attribute",
        ),
        Example(
            "keep_aspect_ratio_policy with scales is an error",
            "A policy needs sizes.",
            resize(FOUR, [2], keep_aspect_ratio_policy="not_larger"),
            REFUSES,
            REFUSES,
            "[1, 1, 2, 2, 3, 3, 4, 4]",
            "",
        ),
    ],
    "Resize: element types and values": [
        Example(
            "Integers are rounded half to even",
            "Integers are rounded half to even and saturated, once at the end.",
            resize([[0, 1, 3, 2]], [1, 2], dtype="uint8", **LINEAR),
            "[[0, 0, 1, 2, 2, 3, 2, 2]]",
            "[[0, 0, 0, 1, 2, 2, 2, 2]]",
            "[[0, 0, 1, 2, 2, 3, 2, 2]]",
            "as Tesela",
        ),
        Example(
            "Cubic integers",
            "Integers saturate.",
            resize([[0, 255]], [1, 2], dtype="uint8", **CUBIC),
            "[[0, 58, 197, 255]]",
            REFUSES,
            "[[0, 58, 197, 255]]",
            "",
        ),
        Example(
            "antialias of uint8",
            "The exact result, 5.667, is rounded once, to 6. ONNX Runtime, like PyTorch, rounds after each axis. On noise, 10 to 18 % "
            "of its values differ by one, and cubic ones by more where an axis overshoots. `semantics=onnxruntime` leaves such nodes "
            "to ONNX Runtime, and presets ([python.md](python.md)) reproduce the results of PyTorch and Pillow.",
            resize([[8, 6, 5], [2, 3, 0], [0, 0, 1]], sizes=[2, 2], dtype="uint8", antialias=1, **LINEAR),
            "[[6, 4], [1, 1]]",
            "[[5, 4], [1, 1]]",
            "[[6, 4], [1, 1]]",
            "",
        ),
        Example(
            "antialias of int8",
            "As above, for signed integers.",
            resize(
                [[-100, -50, 0, 50, 100, 120]],
                sizes=[1, 3],
                dtype="int8",
                antialias=1,
                **LINEAR,
            ),
            "[[-69, 25, 104]]",
            "[[0, 25, 104]]",
            "[[-69, 25, 104]]",
            "",
        ),
        Example(
            "Every listed element type",
            "Every type that the version lists is supported.",
            resize([FOUR], [1, 2], dtype="double", **LINEAR),
            "[[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]]",
            REFUSES,
            "[[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]]",
            "computes in float32",
        ),
        Example(
            "bool in mode linear",
            "bool is true above one half.",
            resize([[True, False]], [1, 2], dtype="bool", **LINEAR),
            "[[True, True, False, False]]",
            REFUSES,
            REFUSES,
            REFUSES,
        ),
        Example(
            "Complex numbers",
            "The real and imaginary parts are computed separately.",
            resize([1 + 2j, 3 + 4j], [2], dtype="complex64"),
            "[1+2i, 1+2i, 3+4i, 3+4i]",
            REFUSES,
            "[1+0i, 1+0i, 3+0i, 3+0i]",
            REFUSES,
        ),
        Example(
            "float16 overflows to infinity",
            "float16 is rounded once and overflows to infinity.",
            resize([[0, 65504, 65504, 0]], [1, 2], dtype="float16", **CUBIC),
            "[[-6908, 14840, 50656, inf, inf, 50656, 14840, -6908]]",
            "[[-6908, 14840, 50656, inf, inf, 50656, 14840, -6908]]",
            "[[-6908, 14840, 50656, 65504, 65504, 50656, 14840, -6908]]",
            "",
        ),
        Example(
            "The largest integer is copied unchanged",
            "nearest copies bits.",
            resize([2**63 - 1, 1], [2], dtype="int64"),
            "[9223372036854775807, 9223372036854775807, 1, 1]",
            REFUSES,
            "[-9223372036854775808, -9223372036854775808, 1, 1]",
            "",
        ),
        Example(
            "Infinity in mode nearest",
            "nearest copies bits.",
            resize([INF, 1], [2]),
            "[inf, inf, 1, 1]",
            "[inf, inf, 1, 1]",
            "[nan, 3.4028e+38, nan, 1]",
            "",
        ),
        Example(
            "Negative zero in mode nearest",
            "nearest copies bits.",
            resize([-0.0, 1], [2]),
            "[-0, -0, 1, 1]",
            "[-0, -0, 1, 1]",
            "[0, 0, 1, 1]",
            "",
        ),
        Example(
            "Infinity at a tap of weight 0",
            "Taps of weight 0 are skipped.",
            resize([[1, INF, 3]], sizes=[1, 5], **LINEAR, **ALIGN),
            "[[1, inf, inf, inf, 3]]",
            "[[nan, inf, inf, inf, 3]]",
            "[[1, 3.4028e+38, 3.4028e+38, 3.4028e+38, nan]]",
            "",
        ),
        Example(
            "extrapolation_value of integers saturates",
            "extrapolation_value is rounded like a result.",
            resize(
                [[1, 2]],
                sizes=[1, 3],
                roi=[0, -1, 1, 2],
                dtype="uint8",
                extrapolation_value=300.0,
                **CROP,
            ),
            "[[255, 1, 255]]",
            "[[44, 1, 44]]",
            "[[255, 1, 255]]",
            REFUSES,
        ),
        Example(
            "extrapolation_value of integers is rounded",
            "extrapolation_value is rounded like a result.",
            resize(
                [[1, 2]],
                sizes=[1, 3],
                roi=[0, -1, 1, 2],
                dtype="uint8",
                extrapolation_value=3.5,
                **CROP,
            ),
            "[[4, 1, 4]]",
            "[[3, 1, 3]]",
            "[[4, 1, 4]]",
            REFUSES,
        ),
        Example(
            "extrapolation_value below 0",
            "extrapolation_value is rounded like a result.",
            resize(
                [[1, 2]],
                sizes=[1, 3],
                roi=[0, -1, 1, 2],
                dtype="uint8",
                extrapolation_value=-1.0,
                **CROP,
            ),
            "[[0, 1, 0]]",
            "[[255, 1, 255]]",
            "[[0, 1, 0]]",
            REFUSES,
        ),
        Example(
            "extrapolation_value NaN of integers",
            "extrapolation_value is rounded like a result: NaN becomes 0.",
            resize(
                [[1, 2]],
                sizes=[1, 3],
                roi=[0, -1, 1, 2],
                dtype="int32",
                extrapolation_value=math.nan,
                **CROP,
            ),
            "[[0, 1, 0]]",
            "[[-2147483648, 1, -2147483648]]",
            "[[-2147483648, 1, -2147483648]]",
        ),
        Example(
            "extrapolation_value beyond float16",
            "extrapolation_value is rounded like a result: float16 overflows to infinity.",
            resize(
                [[1, 2]],
                sizes=[1, 3],
                roi=[0, -1, 1, 2],
                dtype="float16",
                extrapolation_value=70000.0,
                **CROP,
            ),
            "[[inf, 1, inf]]",
            "[[inf, 1, inf]]",
            "[[65504, 1, 65504]]",
        ),
        Example(
            "Extrapolated elements are not interpolated",
            "An element outside the region along any axis is extrapolation_value itself, without weights.",
            resize(PAIR, sizes=[3, 4], roi=[-1, 0, 2, 1], extrapolation_value=-0.0, **CROP),
            "[[-0, -0, -0, -0], [1, 1, 2, 2], [-0, -0, -0, -0]]",
            "[[-0, -0, -0, -0], [1, 1, 2, 2], [-0, -0, -0, -0]]",
            "[[0, 0, 0, 0], [1, 1, 2, 2], [0, 0, 0, 0]]",
        ),
    ],
    "Resize: ranks": [
        Example(
            "Linear at rank 1",
            "Every mode works at every rank.",
            resize(FOUR, [2], **LINEAR),
            "[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]",
            REFUSES,
            "[1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4]",
            "",
        ),
        Example(
            "Cubic at rank 3",
            "Every mode works at every rank.",
            resize([[FOUR]], [1, 1, 2], **CUBIC),
            "[[[0.89453, 1.1914, 1.668, 2.2969, 2.7031, 3.332, 3.8086, 4.1055]]]",
            REFUSES,
            "[[[0.89453, 1.1914, 1.668, 2.2969, 2.7031, 3.332, 3.8086, 4.1055]]]",
            "",
        ),
        Example(
            "Linear at rank 6",
            "Every mode works at every rank.",
            resize([[[[[[1, 2]]]]]], [1, 1, 1, 1, 1, 2], **LINEAR),
            "[[[[[[1, 1.25, 1.75, 2]]]]]]",
            REFUSES,
            "[[[[[[1, 1.25, 1.75, 2]]]]]]",
            "aborts the process",
        ),
    ],
    "Tile": [
        Example(
            "Tile with too few repeats is an error",
            "`repeats` has one entry for each axis.",
            tile(PAIR, [2]),
            REFUSES,
            REFUSES,
            "[[1, 2, 1, 2], [3, 4, 3, 4]]",
            "[[1, 2, 1, 2], [3, 4, 3, 4]]",
        ),
        Example(
            "Tile-1",
            "Version 1 repeats along one axis.",
            Node("Tile", 1, [floats(1, 2), floats(2), floats(0)]),
            "[1, 2, 1, 2]",
            REFUSES,
            REFUSES,
            "as Tesela",
        ),
        Example(
            "Tile of bfloat16",
            "Every type that the version lists is supported.",
            tile([1, 2], [2], "bfloat16"),
            "[1, 2, 1, 2]",
            REFUSES,
            "[1, 2, 1, 2]",
            "",
        ),
        Example(
            "Tile of complex numbers",
            "Every type that the version lists is supported.",
            tile([1j], [2], "complex64"),
            "[0+1i, 0+1i]",
            REFUSES,
            "[0+1i, 0+1i]",
            REFUSES,
        ),
        Example(
            "Tile of float16 NaNs",
            "Tile copies bits.",
            Node(
                "Tile",
                13,
                [(np.array([0x7D01, 0x7E02], np.uint16).view(np.float16), "float16"), ints(1)],
            ),
            "[7d01, 7e02]",
            "[7e00, 7e00]",
            "[7d01, 7e02]",
            bits=True,
        ),
        Example(
            "Tile of a scalar",
            "The output of a scalar is the scalar.",
            Node("Tile", 13, [scalar(5), ints()]),
            "5",
            "5",
            "5",
            REFUSES,
        ),
    ],
    "ConstantOfShape": [
        Example(
            "An empty tensor does not overflow",
            "An entry 0 gives an empty tensor, whatever the others are.",
            fill([0, 2**40, 2**40]),
            "shape [0, 1099511627776, 1099511627776]",
            REFUSES,
            REFUSES,
            "",
        ),
        Example(
            "A value of rank 0",
            "`value` may have any rank but must have one element.",
            Node("ConstantOfShape", 25, [ints(2)], {"value": scalar(3)}),
            "[3, 3]",
            REFUSES,
            "[3, 3]",
            "",
        ),
        Example(
            "A value of float8e8m0",
            "Every type that the version lists is supported.",
            fill([2], "float8e8m0", 2.0),
            "[2, 2]",
            REFUSES,
            "[2, 2]",
            "",
        ),
        Example(
            "A value of int4",
            "Every type that the version lists is supported.",
            fill([3], "int4", -3),
            "[-3, -3, -3]",
            REFUSES,
            "[-3, -3, -3]",
            "",
        ),
        Example(
            "A string value is an error",
            "No version lists strings.",
            Node(
                "ConstantOfShape",
                25,
                [ints(2)],
                {"value": (np.array([b"a"], dtype=object), "string")},
            ),
            REFUSES,
            REFUSES,
            "[a, a]",
            "",
        ),
        Example(
            "A complex value is an error",
            "No version lists complex numbers.",
            fill([1], "complex64", 1),
            REFUSES,
            REFUSES,
            "[1+0i]",
            "",
        ),
        Example(
            "bfloat16 was added in version 20",
            "Types of newer versions are errors.",
            fill([1], "bfloat16", 1, opset=9),
            REFUSES,
            REFUSES,
            "[1]",
            "",
        ),
    ],
    "Upsample": [
        Example(
            "Upsample in mode linear",
            "Upsample-9 is asymmetric.",
            Node("Upsample", 9, [floats(FOUR), floats(1, 2)], {"mode": "linear"}),
            "[[1, 1.5, 2, 2.5, 3, 3.5, 4, 4]]",
            "[[1, 1.5, 2, 2.5, 3, 3.5, 4, 4]]",
            REFUSES,
            "",
        ),
        Example(
            "Upsample in mode nearest",
            "Upsample is asymmetric, and nearest rounds down.",
            Node("Upsample", 9, [floats([1, 2, 3]), floats(1, 2.4)]),
            "[[1, 1, 1, 2, 2, 3, 3]]",
            "[[1, 1, 1, 2, 2, 3, 3]]",
            REFUSES,
            "[[1, 1, 2, 2, 2, 3, 3]]",
        ),
        Example(
            "Upsample-7",
            "Upsample-7 has its scales in an attribute.",
            Node("Upsample", 7, [floats([1, 2])], {"scales": np.array([1, 2], dtype=np.float32)}),
            "[[1, 1, 2, 2]]",
            "[[1, 1, 2, 2]]",
            REFUSES,
            "",
        ),
        Example(
            "Upsample-1",
            "Upsample-1 has height_scale and width_scale.",
            Node("Upsample", 1, [floats([[[1, 2]]])], {"height_scale": 1.0, "width_scale": 2.0}),
            "[[[[1, 1, 2, 2]]]]",
            REFUSES,
            REFUSES,
            "",
        ),
    ],
}

EXAMPLES = [example for examples in SECTIONS.values() for example in examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_difference(example):
    assert our_answer(example) == example.ours


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_difference_of_peers(example):
    assert answer(ORT, example) == example.ort
    assert answer(REF, example) == example.ref


def test_examples_show_differences():
    titles = [example.title for example in EXAMPLES]
    assert len(set(titles)) == len(titles)
    for example in EXAMPLES:
        answers = {example.ort, example.ref, example.openvino or example.ours}
        assert answers != {example.ours}, example.title


# --- The document --------------------------------------------------------------------------------

INTRODUCTION = f"""# Where other implementations differ

Each section shows one class of differences with a small example. It states Tesela's rule;
the [specification](specification/README.md) has the details. `tests/conformance/test_peers.py` generates this
document. It runs every example with {ORT} (its CPU provider) and the
{REF}, and checks that the results are those shown here. The column
for {OV} (its CPU plugin, models read as ONNX) was recorded by hand; `-` means that nothing was
recorded. [emulations.md](emulations.md) says how Tesela gives the results of others.
"""


def described(example: Example) -> str:
    """The call in one line: `Resize-19 X=[1, 2] scales=[2] mode=linear`."""
    node = example.node
    names = {
        "Tile": ["input", "repeats"],
        "ConstantOfShape": ["input"],
        "Upsample": ["X", "scales"],
        "Resize": ["X", "scales"] if node.opset == 10 else ["X", "roi", "scales", "sizes"],
    }[node.op]
    if node.op == "Tile" and node.opset == 1:
        names = ["input", "tiles", "axis"]
    parts = [f"{node.op}-{node.opset}"]
    for name, entry in zip(names, node.inputs):
        if entry is not None:
            array, dtype = entry
            shown = f"{dtype} {digits(array)}" if example.bits and entry is node.inputs[0] else ""
            parts.append(f"{name}={shown or typed(array, dtype)}")
    for name, value in node.attributes.items():
        if isinstance(value, tuple):
            value = typed(*value)
        elif isinstance(value, np.ndarray):
            value = number(value.tolist())
        elif isinstance(value, float):
            value = number(value)
        parts.append(f"{name}={value}")
    return " ".join(parts)


def typed(array: np.ndarray, dtype: str) -> str:
    if array.size > 40:
        shown = "zeros " + "x".join(map(str, array.shape))
    else:
        flat = array.astype(np.float32) if dtype in ("bfloat16", "float8e8m0", "int4") else array
        shown = number(flat.tolist())
    return shown if dtype in ("float", "int64") else f"{dtype} {shown}"


def shortened(value: str) -> str:
    """Replaces runs of integers by a range: [0 ... 19]."""

    def shrink(match: re.Match) -> str:
        entries = [int(entry) for entry in match.group(1).split(", ")]
        if entries == list(range(entries[0], entries[0] + len(entries))) and len(entries) > 6:
            return f"[{entries[0]} ... {entries[-1]}]"
        return match.group(0)

    return re.sub(r"\[(-?\d+(?:, -?\d+)+)\]", shrink, value)


def document() -> str:
    lines = [INTRODUCTION]
    for section, examples in SECTIONS.items():
        lines.append(f"## {section}\n")
        for example in examples:
            element = "" if example.at is None else f", element {example.at} of the output"
            lines += [
                f"### {example.title}",
                f"{example.rule}\n",
                f"`{shortened(described(example))}`{element}\n",
                "| Tesela | onnxruntime 1.31.1 | onnx 1.23.2 reference | openvino 2026.4.1 |",
                "|---|---|---|---|",
                f"| {example.ours} | {example.ort} | {example.ref} | {example.openvino or '-'} |",
                "",
            ]
    lines.append(openvino_classes.section())
    return "\n".join(lines)


def test_document_is_up_to_date():
    assert DOCUMENT.read_text() == document(), "run this file as a script and read the difference"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("usage: test_peers.py")
    DOCUMENT.write_text(document())
