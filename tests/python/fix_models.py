# SPDX-License-Identifier: Apache-2.0
"""Random models for `tesela fix`: every operator version, subgraphs, functions, shared and external constants, and fields that
no version of ONNX has.

Arguments: the number of models, or the first and the number. Without a change of numbers asked for, a fixed model must give
the bits of the model, and every byte outside changed nodes must stay.
"""

from __future__ import annotations

import collections
import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import tesela
from onnx import TensorProto, external_data_helper, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from tesela import reference_ops

OPERATORS = {"Resize", "Upsample", "Tile", "ConstantOfShape"}
OPSETS = [1, 5, 6, 7, 8, 9, 9, 10, 10, 11, 11, 12, 13, 15, 17, 18, 19, 21, 23]
MODES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn"]


@dataclass
class Drawn:
    """A model, what to feed it, and the folder of its external data, if it has some."""

    model: onnx.ModelProto
    feeds: dict[str, np.ndarray]
    folder: Path | None = None
    runs_alone: bool = True  # by Tesela; without it other operators are around its own

    def bytes(self) -> bytes:
        return self.model.SerializeToString()


@dataclass
class Draw:
    rng: random.Random
    opset: int
    ir_version: int
    elem: int = TensorProto.FLOAT
    nodes: list = field(default_factory=list)
    inputs: dict[str, tuple[int, list]] = field(default_factory=dict)
    feeds: dict[str, np.ndarray] = field(default_factory=dict)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    names: int = 0

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def flip(self, chance: float) -> bool:
        return self.rng.random() < chance

    def give(self, stem: str, value: np.ndarray, known: float = 0.8) -> str:
        """The name of a parameter: a constant, at times shared, or an input of the model."""
        same = [name for name, other in self.constants.items() if other.dtype == value.dtype and np.array_equal(other, value)]
        if same and self.flip(0.5):
            return self.rng.choice(same)
        name = self.name(stem)
        if self.flip(known):
            if self.flip(0.3):
                self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value)))
            else:
                self.constants[name] = value
        else:
            self.inputs[name] = helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape)
            self.feeds[name] = value
        return name

    def scales(self, rank: int, least: float) -> np.ndarray:
        choices = [1, 2, 1, 1.5, 1.25, 2.0, 0.5, 0.7, 10 / 7, 0.9]
        grows = self.flip(0.7)
        allowed = [s for s in choices if s >= least and (not grows or s >= 1)]
        return np.float32([self.rng.choice(allowed) for _ in range(rank)])

    def upsample(self, x: str, rank: int) -> list:
        mode = {"mode": self.rng.choice(["nearest", "linear"])} if self.flip(0.8) else {}
        if self.elem == TensorProto.STRING:
            mode = {}
        scales = self.scales(rank, 1)
        if self.opset < 7:
            if mode:
                mode["mode"] = mode["mode"].replace("linear", "bilinear")
            return [x], dict(mode, height_scale=float(scales[-1]), width_scale=float(scales[0]))
        if self.opset < 9:
            return [x], dict(mode, scales=[float(s) for s in scales])
        return [x, self.give("s", scales)], mode

    def resize(self, x: str, shape: list[int]) -> tuple[list[str], dict]:
        rank, rng = len(shape), self.rng
        modes = ["nearest"] if self.elem == TensorProto.STRING else ["nearest", "linear", "cubic"]
        if self.opset == 10:
            mode = rng.choice([m for m in modes if m != "cubic"])
            return [x, self.give("s", self.scales(rank, 0))], {"mode": mode}
        attributes: dict[str, Any] = {"mode": rng.choice(modes)}
        if self.flip(0.8):
            attributes["coordinate_transformation_mode"] = rng.choice(MODES)
            if self.elem == TensorProto.STRING and "crop" in attributes["coordinate_transformation_mode"]:
                attributes["coordinate_transformation_mode"] = "asymmetric"
        if self.flip(0.6):
            attributes["nearest_mode"] = rng.choice(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
        if self.flip(0.15):
            attributes |= {"coordinate_transformation_mode": MODES[-1], "mode": "nearest"}
        for_nn = attributes.get("coordinate_transformation_mode") == "tf_half_pixel_for_nn"
        if for_nn and self.opset < 13:  # what the upgrade refuses is tested elsewhere
            attributes |= {"mode": "nearest", "nearest_mode": rng.choice(["floor", "round_prefer_floor"])}
        if self.flip(0.2):
            attributes["exclude_outside"] = 1
        axes = list(range(rank))
        if self.opset >= 18:
            if attributes["mode"] != "nearest" and self.flip(0.3):
                attributes["antialias"] = 1
            if self.flip(0.4):
                axes = sorted(rng.sample(axes, rng.randint(1, rank)))
                attributes["axes"] = axes
        first = self.opset < 13
        empty = self.give("e", np.float32([]), 1) if first or self.flip(0.2) else ""
        roi = empty
        if attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize" and self.flip(0.8):
            roi = self.give("r", np.float32([0.1] * len(axes) + [0.8] * len(axes)))
        if self.flip(0.6):
            return [x, roi, self.give("s", self.scales(len(axes), 0))], attributes
        sizes = np.int64([max(1, round(shape[axis] * rng.choice([0.5, 1, 2, 1.3]))) for axis in axes])
        return [x, roi, empty, self.give("z", sizes)], attributes

    def tile(self, x: str, rank: int) -> list[str]:
        if self.opset < 6:
            kind = np.float32 if self.elem == TensorProto.FLOAT else np.float64
            return [x, self.give("t", kind([2]), 1), self.give("a", kind([self.rng.randrange(rank)]), 1)]
        return [x, self.give("t", np.int64([self.rng.randint(1, 2) for _ in range(rank)]))]

    def node(self, x: str, shape: list[int]) -> onnx.NodeProto:
        kinds = ["Tile"] + (["Resize"] * 4 if self.opset >= 10 else ["Upsample"] * 4)
        if 2 <= self.opset < 7 and len(shape) != 4:
            kinds = ["Tile"]
        kind = self.rng.choice(kinds)
        attributes: dict[str, Any] = {}
        if kind == "Upsample":
            inputs, attributes = self.upsample(x, len(shape))
        elif kind == "Resize":
            inputs, attributes = self.resize(x, shape)
        else:
            inputs = self.tile(x, len(shape))
        name = self.name("n") if self.flip(0.8) else ""
        return helper.make_node(kind, inputs, [self.name("v")], name=name, doc_string=self.rng.choice(["", "said"]), **attributes)


def unknown_fields(rng: random.Random) -> bytes:
    """Fields that no message of ONNX has: a number, and bytes."""
    return b"\xc0\x3e" + bytes([rng.randrange(128)]) + b"\xca\x3e\x03" + rng.randbytes(3)


def shape_of(rng: random.Random, opset: int) -> list[int]:
    rank = 4 if opset < 7 else rng.randint(1, 4)
    return [rng.choice([1, 2, 3]) if k < rank - 2 else rng.randint(1, 7) for k in range(rank)]


def input_of(draw: Draw, shape: list[int]) -> None:
    if draw.opset >= 9:
        draw.elem = draw.rng.choice([TensorProto.FLOAT] * 4 + [TensorProto.UINT8, TensorProto.DOUBLE, TensorProto.INT32, TensorProto.FLOAT16,
                                                               TensorProto.BOOL, TensorProto.STRING])
    symbols = [f"d{k}" if draw.flip(0.3) else n for k, n in enumerate(shape)]
    draw.inputs["x"] = draw.elem, symbols
    x = np.random.default_rng(draw.rng.randrange(2**31)).random(shape) * 200
    dtype = object if draw.elem == TensorProto.STRING else helper.tensor_dtype_to_np_dtype(draw.elem)
    draw.feeds["x"] = np.array([f"t{v:.0f}" for v in x.ravel()], object).reshape(shape) if dtype is object else (
        x > 100 if draw.elem == TensorProto.BOOL else x.astype(dtype))


def wrapped(draw: Draw, node: onnx.NodeProto) -> tuple[onnx.NodeProto, list[onnx.FunctionProto]]:
    """The node in both branches of an If, or in a function."""
    y = draw.name("w")
    if draw.flip(0.5) or draw.ir_version < 8:
        branches = {}
        dims = [None] * draw.feeds["x"].ndim
        for branch in ("then_branch", "else_branch"):
            inner = onnx.NodeProto()
            inner.CopyFrom(node)
            del inner.output[:]
            inner.output.append(f"{branch}_y")
            branches[branch] = helper.make_graph([inner], branch, [], [helper.make_tensor_value_info(f"{branch}_y", draw.elem, dims)])
        draw.inputs["cond"], draw.feeds["cond"] = (TensorProto.BOOL, []), np.array(draw.flip(0.5))
        return helper.make_node("If", ["cond"], [y], name="if", **branches), []
    given = [name for name in dict.fromkeys(node.input) if name]
    function = helper.make_function("local", "Inner", given, list(node.output), [node], [helper.make_opsetid("", draw.opset)])
    return helper.make_node("Inner", given, [y], domain="local"), [function]


def draw_model(seed: int, folder: Path) -> Drawn:
    rng = random.Random(seed)
    opset = rng.choice(OPSETS)
    draw = Draw(rng, opset, rng.choice([3, 8]) if opset < 10 else rng.choice([6, 8, 10]))
    shape = shape_of(rng, opset)
    input_of(draw, shape)
    at = "x"
    for _ in range(rng.randint(1, 3)):
        made = draw.node(rng.choice([at, "x"]), shape)
        draw.nodes.append(made)
        at = made.output[0]
        shape = [3] * len(shape)  # of later sizes
        if draw.flip(0.3):
            draw.nodes.append(helper.make_node("Identity", [at], [draw.name("i")]))
            at = draw.nodes[-1].output[0]
    functions: list[onnx.FunctionProto] = []
    alone = True
    if draw.nodes[-1].op_type in OPERATORS and opset >= 7 and draw.flip(0.4):
        last, functions = wrapped(draw, draw.nodes.pop())
        draw.nodes.append(last)
        at, alone = last.output[0], False
    return finished(draw, at, functions, folder, alone)


def finished(draw: Draw, output: str, functions: list, folder: Path, alone: bool) -> Drawn:
    initializers = [numpy_helper.from_array(value, name) for name, value in draw.constants.items()]
    inputs = dict(draw.inputs)
    if draw.ir_version < 4:
        inputs |= {name: (helper.np_dtype_to_tensor_dtype(value.dtype), list(value.shape)) for name, value in draw.constants.items()}
    results = [helper.make_tensor_value_info(output, draw.elem, [None] * draw.feeds["x"].ndim)]
    graph = helper.make_graph(draw.nodes, "g", [helper.make_tensor_value_info(name, *kind) for name, kind in inputs.items()], results,
                              initializers)
    imports = [helper.make_opsetid("", draw.opset)] + ([helper.make_opsetid("local", 1)] if functions else [])
    model = helper.make_model(graph, opset_imports=imports, ir_version=draw.ir_version, functions=functions, producer_name="drawn")
    if draw.flip(0.5):
        for message in [model, model.graph, *model.graph.node, *model.graph.initializer]:
            if draw.flip(0.5):
                message.MergeFromString(unknown_fields(draw.rng))
    external = [tensor for tensor in model.graph.initializer if tensor.raw_data]
    if not external or draw.flip(0.7):
        return Drawn(model, draw.feeds, None, alone)
    data = folder / "weights.bin"
    with data.open("wb") as file:
        for tensor in external:
            external_data_helper.set_external_data(tensor, data.name, file.tell(), len(tensor.raw_data))
            file.write(tensor.raw_data)
            tensor.ClearField("raw_data")
    return Drawn(model, draw.feeds, folder, alone)


# ---- Looking at bytes -------------------------------------------------------------------------------------------------------


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            return value, at


def fields(message: bytes) -> list[tuple[int, bytes, bytes]]:
    """(number, value, all bytes) of each field of a message."""
    found, at = [], 0
    while at < len(message):
        begin = at
        key, at = _varint(message, at)
        value = b""
        if key & 7 == 0:
            _, at = _varint(message, at)
        elif key & 7 == 2:
            length, at = _varint(message, at)
            value, at = message[at:at + length], at + length
        else:
            at += {1: 8, 5: 4}[key & 7]
        found.append((key >> 3, value, message[begin:at]))
    return found


INNER = {("model", 7): "graph", ("model", 25): "function", ("graph", 1): "node", ("function", 7): "node", ("node", 5): "attribute",
         ("attribute", 6): "graph", ("attribute", 11): "graph"}


def _of(node: bytes, number: int) -> list[bytes]:
    return [value for field_, value, _ in fields(node) if field_ == number]


def changed_nodes(old: bytes, new: bytes, kind: str = "model") -> list[str]:
    """The outputs of changed nodes. AssertionError if anything else differs but opset imports and new Constant nodes."""
    changed: list[str] = []
    olds, news = collections.deque(fields(old)), collections.deque(fields(new))
    while news:
        number, value, raw = news.popleft()
        if olds and olds[0][2] == raw:
            olds.popleft()
            continue
        inner = INNER.get((kind, number))
        is_new = inner == "node" and _of(value, 4) == [b"Constant"] and (not olds or olds[0][1] == b"" or _of(olds[0][1], 4) != [b"Constant"])
        if is_new:
            continue
        assert olds and olds[0][0] == number, (kind, number)
        was = olds.popleft()[1]
        if inner == "node" and _of(was, 4)[0].decode() in OPERATORS:
            kept = [[f[2] for f in fields(node) if f[0] not in (1, 4, 5)] for node in (was, value)]
            assert kept[0] == kept[1], "a changed node keeps its name, outputs and unknown fields"
            changed += [name.decode() for name in _of(value, 2)]
        elif inner is not None:
            changed += changed_nodes(was, value, inner)
        else:
            assert (kind, number) in (("model", 8), ("function", 9)), (kind, number)
    assert not olds, (kind, [f[0] for f in olds])
    return changed


# ---- Running ----------------------------------------------------------------------------------------------------------------


def evaluated(path: Path, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    """By onnx's reference evaluator with Tesela's operators, in functions, too."""
    model = onnx.load(path)
    opsets = {each.domain: each.version for each in model.opset_import}
    ours = reference_ops.for_opset(opsets[""])
    functions: list[ReferenceEvaluator] = []
    for function in model.functions:
        functions.append(ReferenceEvaluator(function, functions=list(functions), new_ops=ours))
    return ReferenceEvaluator(model.graph, opsets=opsets, functions=functions, new_ops=ours).run(None, feeds)


def results(drawn: Drawn, path: Path) -> list[np.ndarray]:
    return list(tesela.load(path).run(drawn.feeds).values()) if drawn.runs_alone else evaluated(path, drawn.feeds)


def is_legal(model: onnx.ModelProto, path: Path) -> bool:
    try:
        onnx.checker.check_model(str(path))
        return True
    except onnx.checker.ValidationError:
        return False


def check(seed: int, folder: Path) -> tuple[str, tesela.Fix | None]:
    """Fixes a model and runs both. "refused" where no later opset can say the same, "invalid" where the model
    cannot be run."""
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    drawn = draw_model(seed, folder / "in")
    path, made = folder / "in" / "m.onnx", folder / "out" / "m.onnx"
    path.write_bytes(drawn.bytes())
    legal = is_legal(drawn.model, path)
    try:
        before = results(drawn, path)
    except tesela.Error:  # an extent that became 0, and the like
        tesela.fix(path)
        return "invalid", None
    rng = random.Random(seed)
    opset = next(each.version for each in drawn.model.opset_import if each.domain == "")
    later = [each for each in sorted(set(OPSETS)) if each > opset]
    wanted = rng.choice(later) if later and rng.random() < 0.75 else None
    try:
        fix = tesela.fix(path, made, opset=wanted)
    except tesela.UnsupportedError as refused:
        assert "cannot be upgraded" in str(refused) or "changes" in str(refused), refused
        assert not made.exists()
        return "refused", None
    assert made.read_bytes() == fix.data
    fixed = onnx.load_model_from_string(fix.data)
    assert not legal or is_legal(fixed, made), seed
    after = results(drawn, made)
    for a, b in zip(before, after, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, seed
        assert (a.tolist() == b.tolist()) if a.dtype == object else a.tobytes() == b.tobytes(), seed
    changed = changed_nodes(path.read_bytes(), fix.data)
    assert (fix.data == path.read_bytes()) == (fix.nodes == 0 and fix.opset[0] == fix.opset[1]), seed
    # A node of a version that only allows more has the same bytes.
    assert len(changed) <= fix.nodes and all(each.keeps_numbers for each in fix.changes), seed
    assert tesela.fix(made).data == fix.data, seed
    return ("changed" if changed else "same") + (", legal" if legal else ""), fix


def sweep(seeds) -> collections.Counter[str]:
    counts: collections.Counter[str] = collections.Counter()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            verdict, fix = check(seed, Path(folder))
        counts[verdict] += 1
        if fix is not None:
            counts.update(each.rule for each in fix.changes)
    return counts


if __name__ == "__main__":
    first, count = (0, int(sys.argv[1])) if len(sys.argv) == 2 else (int(sys.argv[1]), int(sys.argv[2]))
    print(dict(sweep(range(first, first + count))))
