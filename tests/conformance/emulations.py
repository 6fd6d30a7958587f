# SPDX-License-Identifier: Apache-2.0
"""Compares plans with the rules of another library (the plan field `rules`) with that library, on random cases.

    .venv/bin/python tests/conformance/emulations.py onnxruntime --cases 1000 --first 0

prints a table: how many cases are equal, within two units in the last place, refused by both, refused by one, and
different, and a line for each case of the last kinds that no class of KNOWN explains. `--case SEED` runs one of them. A row
of PEERS adds a library.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import pathlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import case_rules
import library
import numpy as np
import onnx
import openvino_models
import pytorch_peer
import random_cases
import test_peers
from case import NUMPY_TYPES, ResizeCase, resolve

AVX512 = {"avx512f", "avx512_bf16"}
PROCESSOR = set(" ".join(re.findall(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)).split())
MOST_UNITS = 2
CHUNK = 500  # cases that run together
SPOILED = "uninitialised"  # in the message of a refusal


# --- Cases ---------------------------------------------------------------------------------------


def aimed_case(rng: np.random.Generator, peer: Peer) -> ResizeCase:
    """A case of the ranks and axes that image libraries support."""
    op, version = random_cases._pick(rng, peer.versions)
    is_old = op == "Upsample" or version == 10
    mode = random_cases._pick(rng, {"nearest": 20, "linear": 45, "cubic": 0 if is_old else 35})
    rank = int(rng.choice(peer.cubic_ranks if mode == "cubic" else [2, 3, 4, 4, 5])) if mode != "nearest" else int(rng.integers(1, 6))
    sizes = {1: 1000, 2: 60, 3: 15, 4: 12, 5: 6} if rng.random() < 0.03 else {1: 40, 2: 12, 3: 7, 4: 6, 5: 4}
    largest = sizes[rank]
    shape = [int(n) for n in rng.integers(1, largest + 1, rank)]
    dtype = str(rng.choice(peer.types))
    drawn = ResizeCase(random_cases.values(rng, dtype, shape), dtype, op, version, mode)
    changed = peer.changed(rng, rank, mode)
    lowest = 1.0 if op == "Upsample" else 0.0
    scales = [random_cases._scale(rng, n, lowest, False) if d in changed else 1.0 for d, n in enumerate(shape)]
    if is_old:
        drawn.scales = scales
        return drawn
    random_cases._draw_attributes(rng, drawn)
    if drawn.coordinate_transformation_mode in peer.without and rng.random() < 0.9:
        drawn.coordinate_transformation_mode = "half_pixel"
    if abs(drawn.cubic_coeff_a) > 10:
        drawn.cubic_coeff_a = -0.5
    if mode != "cubic" and not drawn.antialias and rng.random() < 0.9:
        drawn.exclude_outside = 0
    listed = list(range(rank))
    if version >= 18 and rng.random() < 0.3:
        listed = [int(d) for d in rng.permutation(changed)] or listed
        drawn.axes = [d - rank if rng.random() < 0.1 else d for d in listed]
    if rng.random() < 0.5:
        drawn.scales = [scales[d] for d in listed]
    else:
        drawn.sizes = [max(1, random_cases._size(rng, shape[d], False)) if d in changed else shape[d] for d in listed]
        if version >= 18 and rng.random() < 0.3:
            drawn.keep_aspect_ratio_policy = str(rng.choice(["not_larger", "not_smaller"]))
    if rng.random() < (0.95 if drawn.crops else 0.1):
        drawn.roi = random_cases._roi(rng, len(listed)).astype(np.float32)
    return drawn


def _changed_axes(rng: np.random.Generator, rank: int, mode: str) -> list[int]:
    if mode == "nearest":
        return [d for d in range(rank) if rng.random() < 0.7]
    choices = {2: [[0, 1], [0], [1]], 3: [[0, 1, 2], [1, 2], [0], [2]], 4: [[2, 3], [2, 3], [1, 2], [3], [2], [1]],
               5: [[2, 3, 4], [2, 3, 4], [4]]}[rank]
    return choices[int(rng.integers(len(choices)))]


def _last_or_any_axes(rng: np.random.Generator, rank: int, _: str) -> list[int]:
    if rng.random() < 0.6:
        return list(range(max(0, rank - int(rng.integers(1, 4))), rank))
    return [d for d in range(rank) if rng.random() < 0.4]


def is_small(case: ResizeCase) -> bool:
    axes = resolve(case)
    most = 20000 if max(case.x.shape, default=0) > 12 else 1500
    return np.prod([float(axis.m) for axis in axes]) <= most and all(axis.m <= 4000 for axis in axes)


def case_of(seed: int, peer: Peer) -> ResizeCase:
    """The case of a seed: mostly aimed, and some of random_cases, which draws every version, type and rank."""
    for attempt in range(1000):
        rng = np.random.default_rng([seed, attempt])
        drawn = random_cases.random_case(rng) if rng.random() < 0.15 else peer.draw(rng, peer)
        drawn = replace(drawn, extents="standard")
        try:
            case_rules.validate(drawn)
        except ValueError:
            continue
        if is_small(drawn):
            return drawn
    raise AssertionError(f"no case for seed {seed}")


# --- Peers ---------------------------------------------------------------------------------------


@dataclass
class Refused:
    why: str


Node = test_peers.Node


@dataclass(frozen=True)
class Peer:
    """rules: of the plan field. run: its results for nodes, and what Tesela says of those that it refuses, or "". draw: an aimed
    case. The rest is for aimed_case: changed: draws axes. without: coordinate modes that it refuses."""

    rules: str
    run: Callable[[list[Node], list[str]], list[np.ndarray | Refused]]
    versions: dict = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    draw: Callable[[np.random.Generator, Peer], ResizeCase] = aimed_case
    changed: Callable[[np.random.Generator, int, str], list[int]] = _changed_axes
    cubic_ranks: tuple[int, ...] = (2, 4)
    without: tuple[str, ...] = ()


def one_by_one(run: Callable[[Node, onnx.ModelProto], np.ndarray]):
    """run: raises if the library refuses."""

    def result(node: Node) -> np.ndarray | Refused:
        try:
            return run(node, test_peers.model(node))
        except Exception as error:
            return Refused(f"{type(error).__name__}: {error}")

    return lambda nodes, _: [result(node) for node in nodes]


def openvino(nodes: list[Node], refusals: list[str]) -> list[np.ndarray | Refused]:
    """Nodes that read memory that was never written are not run: most of them end the process, and starting it takes long."""
    results: list = [Refused("onnx makes no attribute of an empty list") if np.size(node.attributes.get("scales", 1)) == 0 else
                     np.zeros(0) if SPOILED in refusal else None for node, refusal in zip(nodes, refusals)]
    kept = [k for k, result in enumerate(results) if result is None]
    models = [(test_peers.model(nodes[k]), test_peers.feeds(nodes[k]), NUMPY_TYPES[nodes[k].inputs[0][1]].name) for k in kept]
    for k, result in zip(kept, openvino_models.run_all(models, [bool(refusals[k]) for k in kept])):
        results[k] = Refused(result) if isinstance(result, str) else result
    return results


def pytorch(nodes: list[Node], _: list[str]) -> list[np.ndarray | Refused]:
    answers = [pytorch_peer.answer(node.op, node.opset, node.attributes, [entry and entry[0] for entry in node.inputs]) for node in nodes]
    return [Refused(found) if isinstance(found, str) else found for found in answers]


ONNX_VERSIONS = {("Resize", 19): 30, ("Resize", 18): 25, ("Resize", 13): 12, ("Resize", 11): 12}
PEERS = {
    "onnxruntime": Peer("onnxruntime", one_by_one(test_peers.ort),
                        ONNX_VERSIONS | {("Resize", 10): 6, ("Upsample", 9): 6, ("Upsample", 7): 6},
                        ["float", "float", "float16", "int32", "int8", "uint8"]),
    "onnx_reference": Peer("onnx_reference", one_by_one(test_peers.ref), ONNX_VERSIONS | {("Upsample", 9): 4},
                           [name for name in random_cases.TYPES_16 if name not in ("bool", "string")]),
    "openvino": Peer("openvino", openvino,
                     ONNX_VERSIONS | {("Resize", 10): 6, ("Upsample", 9): 6, ("Upsample", 7): 4, ("Upsample", 1): 2},
                     ["float", "float", "float16", "bfloat16", "int32", "int8", "uint8", "uint8", "double", "int64"],
                     changed=_last_or_any_axes, cubic_ranks=(1, 2, 3, 4, 4, 5), without=("tf_crop_and_resize", "half_pixel_symmetric")),
    "pytorch": Peer("pytorch", pytorch, draw=lambda rng, _: pytorch_peer.case(rng)),
}


def is_nan_of_uint32(case: ResizeCase, found, expected) -> bool:
    """Only extrapolation makes NaN of integers."""
    if case.dtype != "uint32" or np.isfinite(case.extrapolation_value) or isinstance(expected, Refused):
        return False
    differ = found != expected
    return bool(np.all(found[differ] == 0) and np.all(expected[differ] == 2**31))


def is_of_another_processor(case: ResizeCase, found, expected) -> bool:
    """The emulation is of processors with AVX-512 and AVX512-BF16: OpenVINO adds in another order without the first, and keeps
    denormal bfloat16 without the second."""
    if AVX512 <= PROCESSOR or isinstance(found, Refused) or isinstance(expected, Refused) or found.dtype.kind in "Oiub":
        return False
    a, b = found.astype(np.float64), expected.astype(np.float64)
    # Doubles are computed as floats.
    relative = {"bfloat16": 2.0**-7, "float16": 2.0**-10}.get(case.dtype, 2.0**-20)
    x = np.abs(case.x.astype(np.float64))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(all="ignore"):
        return bool(np.all(same | (np.abs(a - b) <= relative * x[np.isfinite(x)].max(initial=0) + 2.0**-126)))


# Classes of cases that are not equal and are not mistakes: what says whether a case is one.
KNOWN: dict[str, dict[str, Callable]] = {
    "onnxruntime": {
        "antialias of int32 has a sum outside of int32, which ONNX Runtime reports in the run":
            lambda case, found, expected: case.dtype == "int32" and isinstance(expected, Refused) and "narrow" in expected.why,
    },
    "onnx_reference": {
        "NaN becomes 2^31 in uint32 where the processor converts several numbers at once": is_nan_of_uint32,
    },
    "openvino": {
        "OpenVINO reads uninitialised memory":
            lambda case, found, expected: isinstance(found, Refused) and SPOILED in found.why,
        "OpenVINO gives other extents to an empty output of axes that it moves":
            lambda case, found, expected: case.axes and not isinstance(found, Refused) and found.size == 0,
        "rounding and denormals of a processor without AVX512-BF16": is_of_another_processor,
    },
    "pytorch": {},
}


def ours(node: Node, rules: str) -> np.ndarray | Refused:
    try:
        op = library.Op(node.op, node.opset, node.attributes | {"tesela.rules": rules})
        return library.Plan(op, node.inputs).run(node.inputs[0][0])
    except library.TeselaError as error:
        return Refused(str(error))



# --- Comparison ----------------------------------------------------------------------------------


def units(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference of floats in units in the last place of the greater one."""
    if ours.dtype.kind == "c":
        part = f"f{ours.dtype.itemsize // 2}"
        return max(units(ours.real.astype(part), theirs.real.astype(part)), units(ours.imag.astype(part), theirs.imag.astype(part)))
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(all="ignore"):
        gap = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
        larger = np.maximum(np.abs(a), np.abs(b)).astype(ours.dtype)
        unit = np.abs(np.spacing(larger)).astype(np.float64)
    worst = np.where(gap == 0, 0.0, gap / unit)
    return float(np.where(np.isnan(worst), np.inf, worst).max(initial=0))


def compare(case: ResizeCase, found, expected) -> str:
    if isinstance(found, Refused) or isinstance(expected, Refused):
        if isinstance(found, Refused) and isinstance(expected, Refused):
            return "refused by both"
        return "refused by Tesela" if isinstance(found, Refused) else "refused by the library"
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return "different"
    if found.tobytes() == expected.tobytes():
        return "equal"
    if found.dtype == object or found.dtype.kind in "iub":
        return "equal" if np.array_equal(found, expected) else "different"
    worst = units(found, expected)
    if worst == 0:
        return "equal"
    if case.filter == "nearest":
        return "different"
    return f"within {MOST_UNITS} units" if worst <= MOST_UNITS else "different"


OUTCOMES = ["equal", f"within {MOST_UNITS} units", "refused by both", "refused by Tesela", "refused by the library", "different"]
GOOD = OUTCOMES[:3]


@dataclass
class Result:
    outcome: str
    known: str  # the class that explains it, or ""
    line: str


def refusals(found: list) -> list[str]:
    return [result.why if isinstance(result, Refused) else "" for result in found]


def run_cases(name: str, seeds: list[int]) -> list[Result]:
    peer = PEERS[name]
    cases = [case_of(seed, peer) for seed in seeds]
    nodes = [test_peers.node_of(case) for case in cases]
    found = [ours(node, peer.rules) for node in nodes]
    expected = peer.run(nodes, refusals(found))
    return [result_of(name, *each) for each in zip(seeds, cases, found, expected)]


def result_of(name: str, seed: int, case: ResizeCase, found, expected) -> Result:
    outcome = compare(case, found, expected)
    if outcome in GOOD:
        return Result(outcome, "", "")
    known = next((label for label, applies in KNOWN[name].items() if applies(case, found, expected)), "")
    words = " ".join(word if not word.startswith("x=") else word.split(":")[0] for word in case.word().split(" "))
    why = "".join(f" [{side.why[:150]}]" for side in (found, expected) if isinstance(side, Refused))
    return Result(outcome, known, f"--case {seed}: {outcome}: {words}{why}")


@dataclass
class Table:
    counts: collections.Counter
    known: collections.Counter
    unexplained: list[str]


def chunks(first: int, cases: int) -> list[list[int]]:
    return [list(range(at, min(at + CHUNK, first + cases))) for at in range(first, first + cases, CHUNK)]


def tabulate(name: str, first: int, cases: int, show: Callable[[str], None] | None = None) -> Table:
    table = Table(collections.Counter(), collections.Counter(), [])
    for result in itertools.chain.from_iterable(run_cases(name, seeds) for seeds in chunks(first, cases)):
        table.counts[result.outcome] += 1
        if result.known:
            table.known[result.known] += 1
        elif result.line:
            table.unexplained.append(result.line)
            if show is not None:
                show(result.line)
    return table


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--case", type=int)
    parser.add_argument("--show", type=int, default=100)
    given = parser.parse_args(arguments)
    if given.case is not None:
        peer = PEERS[given.peer]
        case = case_of(given.case, peer)
        node = test_peers.node_of(case)
        found = ours(node, peer.rules)
        [expected] = peer.run([node], refusals([found]))
        print(case.word(), "\nTesela:", found, f"\n{given.peer}:", expected, sep="\n")
        return 0
    shown = iter(range(given.show))
    table = tabulate(given.peer, given.first, given.cases, lambda line: next(shown, None) is not None and print(line, flush=True))
    print("| | " + " | ".join(["cases", *OUTCOMES]) + " |")
    print("|---" * (len(OUTCOMES) + 2) + "|")
    print(f"| {given.peer} | " + " | ".join(str(n) for n in [given.cases, *(table.counts[o] for o in OUTCOMES)]) + " |")
    for label, count in table.known.items():
        print(f"{count}: {label}")
    print(f"{len(table.unexplained)} unexplained")
    return 1 if table.unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
