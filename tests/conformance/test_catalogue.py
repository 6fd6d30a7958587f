# SPDX-License-Identifier: Apache-2.0
"""The catalogue of what other runtimes do differently, compared with the runtimes that can be installed: what a row says is
refused is refused, and every difference from Tesela on random nodes has a row. TESELA_CASES sets the number of cases."""

from __future__ import annotations

import collections
import functools
import os
import re
from dataclasses import dataclass, replace

import catalogue
import catalogue_peers
import library
import numpy as np
import onnx
import pytest
import random_cases
import test_onnxruntime_semantics as semantics
import test_peers as peers
from case import resolve
from onnxruntime_sessions import with_constants

MANY = "TESELA_CASES" in os.environ
CASES = {"onnxruntime": 1500, "onnx-reference": 500, "openvino": 400}
if MANY:
    CASES = {"onnxruntime": 20_000, "onnx-reference": 10_000, "openvino": 6_000}

# Of the nodes that differ, how many may have no row: OpenVINO's process may end after a node that corrupted its memory.
MOST_UNKNOWN = {"onnxruntime": 0, "onnx-reference": 0, "openvino": 0.001}

TYPE_NAMES = {"float32": "float", "float64": "double"}


@dataclass
class Given:
    """A node with everything but its first input constant, and what Tesela computes."""

    text: str
    model: onnx.ModelProto
    inputs: dict
    ours: np.ndarray
    magnitude: float = 1.0
    is_copy: bool = False


def given(text: str, node: peers.Node, constant: bool = True) -> Given | None:
    """None for a node that is invalid, or whose output is empty."""
    try:
        model, ours = peers.model(node), peers.ours(node)
    except (library.TeselaError, ValueError):
        return None
    held = {f"i{k}": entry for k, entry in enumerate(node.inputs) if entry is not None and (k or node.op == "ConstantOfShape")}
    inputs = {name: array for name, array in peers.feeds(node).items() if not (constant and name in held)}
    x = node.inputs[0][0]
    is_number = x.dtype.kind in "iufb" or x.dtype.name in ("bfloat16",)
    magnitude = float(np.abs(x.astype(np.float64)).max(initial=1)) if is_number else 1.0
    coefficient = 1 + 4 * abs(node.attributes.get("cubic_coeff_a", 0.75))
    copies = node.op in ("Tile", "ConstantOfShape") or node.attributes.get("mode", "nearest") == "nearest"
    return Given(text, with_constants(model, held) if constant else model, inputs, ours,
                 magnitude * (1 if copies else coefficient), copies)


def outcome(case: Given, theirs) -> str:
    if isinstance(theirs, str):
        return "refused"
    if theirs.shape != case.ours.shape:
        return "different"
    ours = case.ours
    if ours.dtype == object or ours.dtype.kind in "iub":
        return "equal" if np.array_equal(ours, theirs.astype(ours.dtype)) else "different"
    step = 0 if case.is_copy else {2: 4e-3}.get(ours.dtype.itemsize, 1e-4)
    a, b = ours.astype(complex), theirs.astype(complex)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        return "different" if np.any(~(same | (np.abs(a - b) <= step * case.magnitude))) else "equal"


def said(findings: list[dict]) -> str:
    kinds = {finding["kind"] for finding in findings}
    if kinds & {"refused", "crash"}:
        return "refused"
    return "different" if findings else "equal"


def lint(case: Given, peer: str) -> list[dict]:
    """Without values that the version forbids: they have a rule nevertheless."""
    return [finding for finding in catalogue.lint(case.model, peer) if finding["rule"] != "standard/attribute"]


# --- The rows --------------------------------------------------------------------------------------


def test_rows_say_everything():
    for name, row in catalogue.rows().items():
        assert re.fullmatch(r"[a-z0-9-]+/[a-z0-9-]+", name)
        assert row["kind"] in ("refused", "fallback", "crash", "other rule", "ignored", "exporter", "accepted")
        assert row["condition"] and row["effect"], name
        assert row["source"] == "measured" or row["source"].startswith("https://"), name


# --- Random nodes ----------------------------------------------------------------------------------


def onnxruntime_case(seed: int) -> Given | None:
    """The cases of its own rules, with values in the middle of each type's range: cubic fails where a sum leaves it."""
    case = semantics.random_case(seed)
    if case.x.dtype.kind == "i":
        case.x = case.x // 4
    dtype = TYPE_NAMES.get(case.x.dtype.name, case.x.dtype.name)
    inputs = [None if entry is None else (entry, TYPE_NAMES.get(entry.dtype.name, entry.dtype.name)) for entry in case.inputs]
    attributes = {name: np.float32(value) if name == "scales" else value for name, value in case.attributes.items()}
    return given(f"seed {seed}", peers.Node(case.op, case.opset, [(case.x, dtype), *inputs], attributes))


def standard_case(seed: int, without: tuple[str, ...] = ()) -> Given | None:
    """A random case of the standard with plain values and extents up to 200."""
    case = replace(random_cases.case(70_000_000 + seed), extents="standard")
    if case.dtype in without or abs(case.cubic_coeff_a) > 5 or 0 in case.x.shape:
        return None
    axes = resolve(case)
    outputs = [axis.m for axis in axes]
    if not 0 < np.prod(outputs, dtype=float) <= 2000 or any(axis.n > 200 for axis in axes):
        return None
    if case.roi is not None and (not case.crops or np.abs(case.roi.astype(float)).max(initial=0) > 5):
        return None
    peers.plain(np.random.default_rng([seed, 7]), case)
    return given(f"seed {seed}: {case.word()}", peers.node_of(case))


# Python hands bfloat16 to OpenVINO as other bits.
DRAW = {"onnxruntime": onnxruntime_case, "onnx-reference": standard_case,
        "openvino": functools.partial(standard_case, without=("bfloat16",))}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("peer", CASES)
def test_every_difference_has_a_row(peer):
    cases = [case for case in map(DRAW[peer], range(CASES[peer])) if case is not None]
    results = catalogue_peers.RUN[peer]([(case.model.SerializeToString(), case.inputs) for case in cases])
    counts = collections.Counter()
    unknown, running = [], []
    for case, theirs in zip(cases, results):
        findings = lint(case, peer)
        real, expected = outcome(case, theirs), said(findings)
        may_crash = any(finding["kind"] == "crash" for finding in findings)
        counts[real, expected] += 1
        if expected == "refused" and real != "refused" and not may_crash:
            running.append((case.text, [finding["rule"] for finding in findings]))
        if real != "equal" and expected == "equal" or real == "refused" and expected != "refused":
            unknown.append((case.text, real, [finding["rule"] for finding in findings]))
    assert len(unknown) <= MOST_UNKNOWN[peer] * len(cases), (unknown, counts)
    assert not running, (running, counts)
    # A row for every node would find every difference, too.
    assert counts["equal", "equal"] > 0.05 * len(cases), counts


# --- Each row --------------------------------------------------------------------------------------

PIXELS = np.arange(12).reshape(1, 1, 3, 4)
TWICE = [1, 1, 2, 2]
CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}
ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
CORNERS = {"coordinate_transformation_mode": "align_corners"}
NOISE = np.random.default_rng(1).integers(-100, 100, (1, 1, 7, 9))
resize, tile, fill = peers.resize, peers.tile, peers.fill

WITNESSES = {
    "onnxruntime/old-version": peers.Node("Tile", 1, [(np.float32([1, 2]), "float"), (np.float32(2), "float"), (np.float32(0), "float")]),
    "onnxruntime/type": resize(PIXELS, TWICE, dtype="double"),
    "onnxruntime/scalar": resize(5, [], opset=19),
    "onnxruntime/nothing-given": peers.Node("Resize", 19, [(np.float32([1, 2]), "float")], {"axes": []}),
    "onnxruntime/empty-size": resize([1, 2, 3], sizes=[0]),
    "onnxruntime/axes": resize(PIXELS, [1, 2, 2, 2], mode="linear"),
    "onnxruntime/cubic-integers": resize(PIXELS, TWICE, dtype="uint8", mode="cubic"),
    "onnxruntime/exclude-outside": resize(PIXELS, TWICE, mode="linear", exclude_outside=1),
    "onnxruntime/roi-type": resize([[1, 2, 3, 4]], sizes=[1, 2], roi=(np.array([0, 0.25, 1, 0.75]), "double"), mode="linear", **CROP),
    "onnxruntime/empty-roi": resize([[1, 2, 3, 4]], sizes=[1, 7], roi=[], mode="linear", **CROP),
    "onnxruntime/empty-input": resize([1, 2, 3, 4], [], [8]),
    "onnxruntime/unknown-scales": resize(np.arange(10), [0.7]),
    "onnxruntime/extents": resize(np.arange(10), [0.7]),
    "onnxruntime/negative-axes": resize([[1, 2], [3, 4]], sizes=[4], axes=[-1], keep_aspect_ratio_policy="not_larger"),
    "onnxruntime/unchanged-axes": resize([[0, 1, 2]], [1, 1.3], mode="linear"),
    "onnxruntime/length": resize([[1, 2, 3, 4]], [1, 0.6], mode="linear", **CORNERS),
    "onnxruntime/positions": resize(np.arange(14), sizes=[2], nearest_mode="floor", coordinate_transformation_mode="asymmetric"),
    "onnxruntime/integers": resize([[0, 1, 3, 2]], [1, 2], dtype="uint8", mode="linear"),
    "onnxruntime/antialias-integers": resize([[-100, -50, 0, 50, 100, 120]], sizes=[1, 3], dtype="int8", antialias=1, mode="linear"),
    "onnxruntime/extrapolation": resize([[1, 2]], sizes=[1, 3], roi=[0, -1, 1, 2], dtype="uint8", extrapolation_value=300.0, **CROP),
    "onnxruntime/last-channels-crop": resize(NOISE.reshape(1, 7, 3, 3), sizes=[1, 9, 12, 3], roi=[0, -0.5, 0, 0, 1, 1, 1, 1],
                                             mode="cubic", extrapolation_value=-50.0, **CROP),
    "onnxruntime/zero-weights": resize([[0, np.inf]], [1, 2], mode="linear", **ASYMMETRIC),
    "openvino/zero-weights": resize([[0, np.inf]], sizes=[1, 1], mode="linear", **CORNERS),
    "onnx-reference/zero-weights": resize([np.inf, 0], sizes=[3], mode="linear", **CORNERS),
    "onnx-reference/nearest-nonfinite": resize([0, np.inf, 0], sizes=[2]),
    "onnx-reference/overflow": resize([-60000, 60000, 60000, -60000], [2], dtype="float16", mode="cubic"),
    "onnx-reference/extrapolation": resize(np.arange(12).reshape(3, 4), sizes=[5, 6], roi=[-0.5, -0.5, 1.5, 1.5], mode="cubic",
                                           extrapolation_value=np.inf, **CROP),
    "onnx-reference/crop-border": resize(np.arange(11), sizes=[15], roi=[0, 1], mode="linear", extrapolation_value=-99.0, **CROP),
    "openvino/type": resize(PIXELS, TWICE, dtype="uint16"),
    "openvino/coordinates": resize([[1, 2, 3]], [1, 1.7], mode="linear", coordinate_transformation_mode="half_pixel_symmetric"),
    "openvino/negative-axes": resize([[1, 2], [3, 4]], [2], axes=[-1]),
    "openvino/nothing-given": peers.Node("Resize", 19, [(np.float32([1, 2]), "float")], {"axes": []}),
    "openvino/first-axis": resize(PIXELS, [2, 1, 1, 1]),
    "openvino/cubic-integers": resize(PIXELS[None], [1, 1, 1, 2, 2], dtype="int32", mode="cubic"),
    "openvino/rank-six": resize(np.arange(16).reshape(1, 1, 2, 2, 2, 2), [1, 1, 2, 2, 2, 2], mode="linear"),
    "openvino/cubic-axes": resize(np.arange(60).reshape(3, 4, 5), [2, 2, 2], mode="cubic"),
    "openvino/many-repeats": tile(np.arange(16).reshape(2, 2, 2, 2), [2, 2, 2, 2]),
    "openvino/small-fill": fill([3, 3], "float4e2m1"),
    "openvino/policy": resize(PIXELS, sizes=[1, 1, 6, 6], keep_aspect_ratio_policy="not_larger"),
    "openvino/exclude-outside": resize(NOISE, TWICE, mode="cubic", exclude_outside=1),
    "openvino/antialias": resize(NOISE, sizes=[1, 1, 3, 4], mode="linear", antialias=1),
    "openvino/wide-types": tile([2**40 + 7, 1], [2], "int64"),
    "openvino/unknown-scales": resize(np.arange(10), [0.7]),
    "openvino/extents": resize(np.arange(10), [0.7]),
    "openvino/unchanged-axes": resize([[0, 1, 2]], [1, 1.3], mode="linear"),
    "openvino/length": resize([[1, 2, 3, 4]], [1, 0.6], mode="linear", **CORNERS),
    "openvino/positions": resize(np.arange(20), sizes=[6], nearest_mode="round_prefer_ceil"),
    "openvino/upsample": peers.Node("Upsample", 9, [(np.float32([1, 2, 3]), "float"), (np.float32([2.4]), "float")]),
    "openvino/integers": resize(NOISE, [1, 1, 1.7, 1.7], dtype="int32", mode="linear"),
    "onnx-reference/old-version": peers.Node("Resize", 10, [(np.float32([1, 2, 3, 4]), "float"), (np.float32([0.6]), "float")]),
    "onnx-reference/negative-axes": resize([[1, 2], [3, 4]], [2], axes=[-1]),
    "onnx-reference/type": resize([[1, 0]], [1, 2], dtype="bool"),
    "onnx-reference/tf-half-pixel-for-nn": resize([1, 2, 3, 4], [0.5], roi=[], opset=11, coordinate_transformation_mode="tf_half_pixel_for_nn"),
    "onnx-reference/nothing-given": peers.Node("Resize", 19, [(np.float32([1, 2]), "float")], {"axes": []}),
    "onnx-reference/upsample": peers.Node("Upsample", 9, [(np.float32([1, 2]), "float"), (np.float32([1.5]), "float")]),
    "onnx-reference/missing-roi": resize([[1, 2, 3, 4]], sizes=[1, 7], mode="linear", **CROP),
    "onnx-reference/roi-type": resize([np.arange(60) % 7], sizes=[1, 50], roi=(np.float16([0, 0.15, 1, 0.83]), "float16"), mode="linear", **CROP),
    "onnx-reference/one-output": resize([[1, 2, 3, 4]], sizes=[1, 1], mode="cubic", coordinate_transformation_mode="pytorch_half_pixel"),
    "onnx-reference/complex": peers.Node("Resize", 19, [(np.complex64([1 + 2j, 3 + 4j]), "complex64"), None, (np.float32([2]), "float")]),
    "onnx-reference/exclude-outside": resize([1, 2, 3, 4], [2], exclude_outside=1, nearest_mode="floor"),
    "onnx-reference/wide-integers": resize(np.array([2**63 - 1, 1]), [2], dtype="int64"),
    "onnx-reference/policy": resize(np.zeros((100, 50)), sizes=[29, 50], keep_aspect_ratio_policy="not_larger"),
    "onnx-reference/positions": resize([np.arange(7)], sizes=[1, 17], mode="linear"),
}
# The values decide whether these show.
BY_CHANCE = {"onnx-reference/integers"}
# The values of X are in the model, so that the row applies.
WITH_DATA = {"onnxruntime/zero-weights", "openvino/zero-weights", "onnx-reference/zero-weights", "onnx-reference/nearest-nonfinite",
             "onnx-reference/overflow"}
# Nodes that the standard forbids, and what takes them.
ACCEPTED = {
    "onnxruntime/symmetric-version": [resize([[1, 2]], [1, 2], opset=18, mode="linear", coordinate_transformation_mode="half_pixel_symmetric")],
    "onnxruntime/cubic-version": [resize(PIXELS, TWICE, opset=10, mode="cubic"),
                                  peers.Node("Upsample", 9, [(np.float32(PIXELS), "float"), peers.floats(*TWICE)], {"mode": "cubic"})],
    "onnxruntime/nested-list": [peers.Node("Resize", 19, [peers.floats(1, 2), None, (np.float32([[2]]), "float")])],
    "onnxruntime/roi-values": [resize([[1, 2, 3]], sizes=[1, 2], roi=[0, value, 1, 1], mode="linear", **CROP) for value in (np.nan, np.inf)],
    "openvino/unknown-attributes": [resize(PIXELS, TWICE, mode="linear", align_corners=1),
                                    resize(PIXELS, TWICE, opset=13, antialias=1, mode="linear")],
    "openvino/bad-scales": [resize(PIXELS, [1, 1, 2, value]) for value in (0, -2, np.nan, np.inf)]
                           + [peers.Node("Upsample", 9, [(np.float32(PIXELS), "float"), peers.floats(1, 1, 0.5, 2)])],
    "openvino/bad-sizes": [resize(PIXELS, sizes=[1, 1, -1, 4])],
    "openvino/empty-axis": [resize(np.zeros((1, 1, 0, 3)), sizes=[1, 1, 2, 3])],
    "openvino/counts": [resize(PIXELS, TWICE, sizes=[1, 1, 6, 8]), resize(PIXELS, sizes=[1, 1, 6, 8, 1]),
                        resize(PIXELS, sizes=[6, 6], axes=[2, 2])],
    "openvino/policy-scales": [resize(PIXELS, TWICE, mode="linear", keep_aspect_ratio_policy="not_larger")],
    "openvino/antialias-nearest": [resize(PIXELS, sizes=[1, 1, 2, 2], antialias=1)],
    "openvino/nearest-mode": [resize(PIXELS, sizes=[1, 1, 2, 2], nearest_mode="simple")],
    "openvino/cubic-version": [resize(PIXELS, TWICE, opset=10, mode="cubic")],
    "openvino/sizes-type": [peers.Node("Resize", 19, [(np.float32(PIXELS), "float"), None, None, (np.int32([1, 1, 6, 8]), "int32")])],
    "openvino/repeats": [peers.Node("Tile", 13, [peers.floats(1, 2), (np.array(repeats, kind), "")]) for repeats, kind in
                         (([2], np.int32), ([2, 2], np.int64))]
                        + [peers.Node("Tile", 13, [peers.floats(1, 2), peers.ints(2), peers.ints(2)])],
    "openvino/fill": [fill([2, -10]), peers.Node("ConstantOfShape", 20, [peers.ints(2, 3)], {"value": (np.zeros(0, np.float32), "float")})],
}
# Not constant, so that the row applies.
AT_RUN_TIME = {"onnxruntime/empty-input", "onnxruntime/unknown-scales", "openvino/many-repeats", "openvino/unknown-scales"}
# Rows about IRs and exporters have tests of their own.
ELSEWHERE = {"openvino/pillow-coefficient"}


def test_every_row_of_an_installed_peer_has_a_witness():
    rows = {name for name in catalogue.rows() if name.split("/")[0] in CASES}
    assert rows == set(WITNESSES) | set(ACCEPTED) | BY_CHANCE | ELSEWHERE


@functools.cache
def results_of(peer: str) -> dict[str, object]:
    names = [name for name in WITNESSES if name.startswith(peer + "/")]
    cases = {name: given(name, WITNESSES[name], name not in AT_RUN_TIME) for name in names}
    assert all(cases.values()), [name for name, case in cases.items() if case is None]
    models = [(case.model.SerializeToString(), case.inputs) for case in cases.values()]
    return {name: (case, theirs) for (name, case), theirs in zip(cases.items(), catalogue_peers.RUN[peer](models))}


def test_last_channels_crop_under_antialias():
    name = "onnxruntime/last-channels-crop"
    node = resize(NOISE.reshape(1, 7, 3, 3), sizes=[1, 9, 12, 3], roi=[0, -0.5, 0, 0, 1, 1, 1, 1], mode="linear", antialias=1,
                  extrapolation_value=-50.0, **CROP)
    case = given(name, node)
    assert name in {finding["rule"] for finding in lint(case, "onnxruntime")}
    [theirs] = catalogue_peers.RUN["onnxruntime"]([(case.model.SerializeToString(), case.inputs)])
    assert outcome(case, theirs) == "different"


@pytest.mark.parametrize("name", WITNESSES)
def test_row(name):
    case, theirs = results_of(name.split("/")[0])[name]
    if name in WITH_DATA:
        node = WITNESSES[name]
        assert name not in {finding["rule"] for finding in lint(case, name.split("/")[0])}
        case = replace(case, model=with_constants(peers.model(node), {f"i{k}": entry for k, entry in enumerate(node.inputs) if entry}))
    findings = {finding["rule"]: finding for finding in lint(case, name.split("/")[0])}
    assert name in findings, findings.keys()
    if findings[name]["kind"] == "refused":
        assert isinstance(theirs, str), theirs
    else:
        assert outcome(case, theirs) != "equal"


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_the_standard_forbids_is_taken(name):
    peer = name.split("/")[0]
    kinds = [{f"i{k}": entry for k, entry in enumerate(node.inputs) if entry and (k or node.op == "ConstantOfShape")} for node in ACCEPTED[name]]
    models = [with_constants(peers.model(node), held) for node, held in zip(ACCEPTED[name], kinds)]
    for model in models:
        found = {finding["rule"]: finding["kind"] for finding in catalogue.lint(model, peer)}
        assert found.get(name) == "accepted" and any(rule.startswith("standard/") for rule in found), found
    feeds = [{"i0": node.inputs[0][0]} if node.op != "ConstantOfShape" else {} for node in ACCEPTED[name]]
    for theirs in catalogue_peers.RUN[peer]([(model.SerializeToString(), given) for model, given in zip(models, feeds)]):
        assert isinstance(theirs, np.ndarray), theirs


@pytest.mark.parametrize("name, node", [
    ("onnxruntime/symmetric-version", resize([[1, 2]], [1, 2], mode="linear", coordinate_transformation_mode="half_pixel_symmetric")),
    ("onnxruntime/roi-values", resize([[1, 2, 3]], sizes=[1, 2], roi=[0, 0, 1, 1], mode="linear", **CROP)),
    ("onnxruntime/roi-values", resize([[1, 2, 3]], sizes=[1, 2], roi=[0, 0, 1, 1], mode="linear", antialias="no", **CROP)),
    ("openvino/bad-scales", resize(PIXELS, TWICE, mode="linear", align_corners=1)),
    ("openvino/policy-scales", resize(PIXELS, sizes=[1, 1, 6, 8], keep_aspect_ratio_policy="not_larger", align_corners=1)),
    ("openvino/antialias-nearest", resize(PIXELS, TWICE, mode="linear", antialias=1, align_corners=1)),
    ("openvino/counts", resize(PIXELS, TWICE, mode="linear", align_corners=1)),
    ("openvino/repeats", tile([1, 2], [2])),
])
def test_other_nodes_have_no_such_row(name, node):
    held = {f"i{k}": entry for k, entry in enumerate(node.inputs) if entry and k}
    assert name not in {finding["rule"] for finding in catalogue.lint(with_constants(peers.model(node), held), name.split("/")[0])}
