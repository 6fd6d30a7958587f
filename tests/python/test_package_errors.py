# SPDX-License-Identifier: Apache-2.0
"""Every error is a tesela.Error and a Python exception, and names the parameter, its value and what is allowed."""

import errno
import os
import pickle
import re
import resource
import subprocess
import sys

import numpy as np
import pytest
import tesela
from cli_program import UNSANITIZED
from onnx import TensorProto, helper

X = np.arange(12, dtype=np.float32).reshape(3, 4)
PLAN = tesela.plan("resize", X, sizes=(6, 8), mode="linear")


def tile_model():
    node = helper.make_node("Tile", ["x", "repeats"], ["y"])
    ends = [helper.make_tensor_value_info(name, type_, shape) for name, type_, shape in
            (("x", TensorProto.FLOAT, ["N"]), ("repeats", TensorProto.INT64, [1]), ("y", TensorProto.FLOAT, None))]
    graph = helper.make_graph([node], "tiles", ends[:2], ends[2:])
    return tesela.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=10))


MODEL = tile_model()
INPUTS = {"x": np.float32([1, 2]), "repeats": np.array([2])}


class Odd:
    def __repr__(self):
        return "an odd object"


NO_STRINGS = [3, 2.5, b"linear", ["linear"], (), {}, Odd()]
NO_NAMES = ["linaer", "", "LINEAR ", "a" * 1000, "\n", "é"]
NO_NUMBERS = ["x", b"1", [1.0, 2.0], {}, 1j, Odd(), True, np.zeros(2)]
NO_WHOLE = ["two", 1.5, 2.0, [1], {}, b"1", Odd(), True, np.float64(1), 10**30, -(10**30), float("nan")]
NO_SWITCHES = [0.5, 1.0, "yes", 2, -1, [], Odd(), np.int64(3), 10**30]
NO_EXTENTS = ["ab", (4.7, 4), ("a", 4), (True, True), [[8, 8]], [8, None], 10**30, (10**30, 1), (float("nan"), 2), {8: 8},
              (np.inf, 1), (8, (8,)), Odd(), (1j, 2), 8, (8,), (8, 8, 8), (-1, 8), b"ab"]
NO_AXES = ["H", (0.0, 1.0), (0, "W"), (True, False), [[0, 1]], (0, None), (10**30, 1), {}, Odd(), (0, 7), (0, 0), (-9, 1), 1.5]
NO_REALS = ["ab", ("a", 1), (None, 1.0), [[2.0, 2.0]], (True, 2), {}, Odd(), (1j, 2), 2.0, (1.0, 2.0, 3.0), (-1.0, 2.0),
            (float("nan"), 2.0), (1e300, 2.0), (0.0, 1.0)]

SIZED = dict(sizes=(6, 8))
# (call, valid parameters, {invalid parameter: its values})
CALLS = {
    "resize": (lambda **given: tesela.resize(X, **given), SIZED, {
        "sizes": NO_EXTENTS, "axes": NO_AXES, "mode": NO_STRINGS + NO_NAMES, "nearest_mode": NO_STRINGS + NO_NAMES,
        "coordinate_transformation_mode": NO_STRINGS + NO_NAMES, "keep_aspect_ratio_policy": NO_STRINGS + NO_NAMES,
        "extents": NO_STRINGS + NO_NAMES, "like": NO_STRINGS + NO_NAMES, "cubic_coeff_a": NO_NUMBERS + [10**400, 1e300],
        "extrapolation_value": NO_NUMBERS + [10**400, -1e300], "antialias": NO_SWITCHES, "exclude_outside": NO_SWITCHES,
        "opset": NO_WHOLE + [-1, 99, 2**40, 1], "num_threads": NO_WHOLE + [-1, 1025], "roi": ["ab", (None, 1, 2, 3), {}, (1j,) * 4],
        "out": ["text", 3, [[0.0] * 8] * 6, np.zeros((6, 7), np.float32), np.zeros((6, 8)), Odd()],
    }),
    "resize by scales": (lambda **given: tesela.resize(X, **given), {}, {"scales": NO_REALS}),
    "tile": (lambda **given: tesela.tile(X, **given), dict(repeats=(1, 2)), {
        "repeats": NO_EXTENTS, "opset": NO_WHOLE + [-1, 99], "num_threads": NO_WHOLE + [-1, 1025],
        "dialect": NO_STRINGS + NO_NAMES, "out": ["text", np.zeros((3, 9), np.float32)],
    }),
    "constant_of_shape": (tesela.constant_of_shape, dict(shape=(2, 3)), {
        "shape": [entry for entry in NO_EXTENTS if entry not in (8, (8,), (8, 8, 8))],
        "value": ["text", {}, [1, [2]], Odd(), np.array(["x"]), np.datetime64(1, "s"), [1, 2], []],
        "opset": NO_WHOLE + [-1, 99, 8], "num_threads": NO_WHOLE + [-1, 1025], "out": ["text", np.zeros((3, 9), np.float32)],
    }),
    "plan": (lambda **given: tesela.plan(given.pop("operator", "resize"), given.pop("x", X), given.pop("dtype", None), **given), SIZED, {
        "operator": [3, None, "resiz", "", [], Odd(), "Resize"], "sizes": NO_EXTENTS, "mode": NO_STRINGS + NO_NAMES,
        "dtype": ["flaot", 3, Odd(), "M8[s]", [1], object()], "x": ["ab", (4.5, 3), 3, None, {}, Odd(), (-1, 3), ((1, 2), 3)],
        "foo": [1], "size": [(6, 8)], "weights": NO_STRINGS + NO_NAMES, "coordinates": NO_STRINGS + NO_NAMES,
        "intermediate": NO_STRINGS + NO_NAMES, "order": NO_STRINGS + NO_NAMES,
    }),
    "plan of upsample": (lambda **given: tesela.plan("upsample", X, **given), dict(scales=(2, 2)), {
        "scales": NO_REALS + [None], "mode": NO_STRINGS + ["bilinear"], "opset": NO_WHOLE + [-1, 99, 10], "sizes": [(6, 8)],
    }),
    "plan of upsample 1": (lambda **given: tesela.plan("upsample", X[None, None], opset=1, **given), dict(scales=(1, 1, 2, 2)), {
        "scales": NO_REALS,
    }),
    "Plan()": (lambda **given: PLAN(given.pop("x", X), **given), {}, {
        "x": ["text", None, 3, [[1.0]], np.zeros((3, 4)), np.zeros((3, 5), np.float32), {}, Odd()],
        "num_threads": NO_WHOLE + [-1, 1025], "out": ["text", np.zeros((6, 8))],
    }),
    "Plan.axis": (PLAN.axis, dict(axis=0), {
        "axis": NO_WHOLE + [2, -3, None], "lo": NO_WHOLE + [-1, 9, None], "count": NO_WHOLE + [-1, 9],
    }),
    "Plan.input_region": (PLAN.input_region, dict(lo=(0, 0), shape=(2, 2)), {"lo": NO_EXTENTS, "shape": NO_EXTENTS}),
    "Plan.run_region": (lambda **given: PLAN.run_region(X, **given), dict(x_lo=(0, 0), lo=(0, 0), shape=(2, 2)), {
        "x_lo": NO_EXTENTS, "lo": NO_EXTENTS, "shape": NO_EXTENTS, "num_threads": NO_WHOLE,
    }),
    "load": (tesela.load, {}, {"source": [3, None, 2.5, [], {}, Odd(), "", "no\0path", "/no/such.onnx", b"", b"text", "/"]}),
    "load as": (lambda **given: tesela.load(b"", **given), {}, {"assume_opset": NO_WHOLE + [-1]}),
    "check": (tesela.check, {}, {"source": [3, None, [], "/no/such.onnx"]}),
    "infer_shapes": (tesela.infer_shapes, {}, {"source": [3, None, [], "/no/such.onnx"]}),
    "Model.run": (MODEL.run, dict(inputs=INPUTS), {
        "inputs": [3, None, "text", [1, 2], {}, {3: 4}, {"x": INPUTS["x"]}, INPUTS | {"z": 1}, INPUTS | {"x": "text"},
                   INPUTS | {"repeats": [1.5]}, Odd()],
        "outputs": [3, "y", ["z"], [3], Odd(), b"y"], "num_threads": NO_WHOLE + [-1, 1025],
    }),
    "trim_memory": (tesela.trim_memory, {}, {"keep_bytes": [-5, "x", 1.5, None, [], 2**70, Odd(), True]}),
    "PlanCache": (tesela.PlanCache, {}, {"maxsize": [-5, "x", 1.5, None, [], 2**70, Odd(), True]}),
    "plan_cache.maxsize": (lambda **given: setattr(tesela.plan_cache, "maxsize", given["maxsize"]), {},
                           {"maxsize": [-5, "x", 1.5, None, [], 2**70, Odd(), True]}),
    "presets.attributes": (tesela.presets.attributes, {}, {"name": [3, None, [], "", "torch", "pytorch:cubik", Odd()]}),
    "presets.fields": (tesela.presets.fields, dict(name="opencv:cubic"), {"name": [3, None, [], ""], "dtype": ["flaot", 3, Odd()]}),
}
# Messages that describe the value instead of naming the parameter.
ALSO_CALLED = {"source": "model|path|name|file|open|read|directory", "inputs": "input|repeats|'[xz]'", "outputs": "output|'[z]'",
               "x": "X|input|shape|array", "name": "preset|like", "like": "preset", "sizes": "scales", "count": "lo|axis|range", "x_lo": "region|box",
               "lo": "region|box", "shape": "region|box|extent|ConstantOfShape", "value": "type|element", "dtype": "type", "foo": "parameter"}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_raise_tesela_errors(name):
    call, right, wrong = CALLS[name]
    if right and name not in ("plan_cache.maxsize",):
        call(**right)
    for parameter, values in wrong.items():
        for value in values:
            try:
                call(**(right | {parameter: value}))
            except tesela.Error as error:
                text = str(error)
            except Exception as error:
                raise AssertionError(f"{name}({parameter}={value!r}): {type(error).__name__}: {error}") from error
            else:
                raise AssertionError(f"{name}({parameter}={value!r}) passes")
            case = f"{name}({parameter}={value!r}): {text}"
            assert len(text) <= 300 and "\n" not in text, case
            assert isinstance(error_of(call, right | {parameter: value}), (ValueError, TypeError, MemoryError, OSError)), case
            assert re.search(rf"\b{parameter}\b|{ALSO_CALLED.get(parameter, parameter)}", text), case
            assert "incompatible function arguments" not in text, case


def error_of(call, given):
    try:
        call(**given)
    except tesela.Error as error:
        return error
    return None


@pytest.mark.parametrize("call, text", [
    (lambda: tesela.resize(X, **SIZED, mode="bilinear"), "'bilinear'; expected one of nearest, linear, cubic; did you mean 'linear'?"),
    (lambda: tesela.resize(X, **SIZED, mode="bicubic"), "did you mean 'cubic'?"),
    (lambda: tesela.resize(X, **SIZED, mode="linaer"), "did you mean 'linear'?"),
    (lambda: tesela.resize(X, **SIZED, mode="Nearest"), "did you mean 'nearest'?"),
    (lambda: tesela.resize(X, **SIZED, mode="lanczos"), "expected one of nearest, linear, cubic$"),
    (lambda: tesela.resize(X, **SIZED, coordinate_transformation_mode="align-corners"), "did you mean 'align_corners'?"),
    (lambda: tesela.resize(X, **SIZED, nearest_mode="round_prefer_flor"), "did you mean 'round_prefer_floor'?"),
    (lambda: tesela.resize(X, **SIZED, like="torch:bilinear"), "preset 'torch:bilinear' is unknown; did you mean 'pytorch:bilinear'?"),
    (lambda: tesela.resize(X, **SIZED, like="cv2:bilinear"), "did you mean 'opencv:linear'?"),
    (lambda: tesela.resize(X, **SIZED, like="cv2:INTER_CUBIC"), "did you mean 'opencv:cubic'?"),
    (lambda: tesela.resize(X, **SIZED, like="PIL:BICUBIC"), "did you mean 'pillow:bicubic'?"),
    (lambda: tesela.resize(X, **SIZED, like="pytorch:biliner"), "did you mean 'pytorch:bilinear'?"),
    (lambda: tesela.resize(X, **SIZED, like="pillow:spline"), "expected one of pillow:bilinear, pillow:bicubic"),
    (lambda: tesela.resize(X, **SIZED, like="matlab:imresize"), "expected one of jax:, opencv:"),
    (lambda: tesela.plan("resize", X, size=(6, 8)), "parameter 'size' is unknown; did you mean 'sizes'?"),
    (lambda: tesela.plan("resize", X, scale_factor=(2, 2)), "did you mean 'scales'?"),
    (lambda: tesela.plan("resize", X, **SIZED, coefficient=1), "expected one of sizes, scales"),
    (lambda: tesela.plan("tile", X, reps=(2, 2)), "did you mean 'repeats'?"),
    (lambda: tesela.resize(X, size=(6, 8)), "resize: parameter 'size' is unknown; did you mean 'sizes'?"),
    (lambda: tesela.resize(X, (6, 8), interpolation=1), "did you mean 'mode'?"),
    (lambda: tesela.tile(X, (2, 2), axis=0), "parameter 'axis' is unknown; expected one of x, repeats, opset"),
    (lambda: tesela.constant_of_shape((2, 2), fill=1), "parameter 'fill' is unknown; expected one of shape, value"),
    (lambda: tesela.plan("tile", X), "parameter 'repeats' is missing"),
    (lambda: tesela.plan("upsampel", X), "did you mean 'upsample'?"),
    (lambda: tesela.resize(np.zeros((40, 50, 3)), (20, 20)), "3 (the rank of X); for H x W x C pass axes=(0, 1)"),
    (lambda: tesela.resize(np.zeros((3, 40, 50)), (20, 20)), "for C x H x W pass axes=(1, 2)"),
    (lambda: tesela.resize(np.zeros((2, 40, 50, 3)), scales=(2, 2)), "for N x H x W x C pass axes=(1, 2)"),
    (lambda: tesela.resize(np.zeros((2, 3, 40, 50)), (20, 20)), "for N x C x H x W pass axes=(2, 3)"),
])
def test_errors_suggest_a_fix(call, text):
    with pytest.raises(tesela.Error) as caught:
        call()
    said = str(caught.value)
    assert said.endswith(text[:-1]) if text.endswith("$") else text in said


def test_file_errors_have_errno_and_filename(tmp_path):
    """IoError has errno and filename, and is also the exception that Python's open() raises."""
    (tmp_path / "closed.onnx").write_bytes(b"")
    cases = [(tmp_path / "missing.onnx", tesela.IoError, FileNotFoundError, errno.ENOENT),
             (tmp_path / "closed.onnx" / "model.onnx", tesela.IoError, NotADirectoryError, errno.ENOTDIR),
             (tmp_path, tesela.PathError, IsADirectoryError, errno.EISDIR)]
    for path, ours, of_python, number in cases:
        with pytest.raises(of_python) as caught:
            tesela.load(path)
        error = caught.value
        assert isinstance(error, ours) and isinstance(error, OSError) and isinstance(error, tesela.Error)
        assert (error.errno, error.filename) == (number, os.fspath(path))
        assert "[Errno" not in str(error)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.errno) == (type(error), str(error), number)


def test_unreadable_file_is_a_permission_error(tmp_path):
    path = tmp_path / "closed.onnx"
    path.write_bytes(b"")
    path.chmod(0)
    tmp_path.chmod(0o755)
    program = f"import os, tesela; os.setegid(65534); os.seteuid(65534)\ntry: tesela.load({str(path)!r})\n" \
              "except PermissionError as error: print(error.errno, error.filename, isinstance(error, tesela.IoError))"
    folders = [folder for folder in [tmp_path, *tmp_path.parents] if not folder.stat().st_mode & 1]
    for folder in folders:
        folder.chmod(folder.stat().st_mode | 0o11)
    if os.geteuid() != 0:  # whom file modes restrict
        program = program.replace("os.setegid(65534); os.seteuid(65534)", "")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == f"{errno.EACCES} {path} True\n", done.stderr


def test_missing_external_file_is_not_reported_as_the_model(tmp_path):
    weight = helper.make_tensor("w", TensorProto.FLOAT, [2], [1.0, 2.0])
    weight.ClearField("float_data")
    weight.data_location = TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="gone.bin")
    graph = helper.make_graph([helper.make_node("Identity", ["w"], ["y"])], "g", [],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])], [weight])
    path = tmp_path / "model.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10).SerializeToString())
    with pytest.raises(tesela.IoError, match="gone.bin") as caught:
        tesela.load(path)()
    assert not isinstance(caught.value, FileNotFoundError) and caught.value.filename is None


def test_memory_errors_name_what_was_allocated():
    for call, what in [
        (lambda: tesela.constant_of_shape((1 << 50,), np.uint8(0)), f"{1 << 50} bytes of a result"),
        (lambda: tesela.tile(X, (1 << 25, 1 << 24)), f"{48 << 49} bytes of a result"),
        (lambda: MODEL(np.zeros(4, np.float32), np.array([1 << 46])), r"\d{15,} bytes"),
    ]:
        with pytest.raises(tesela.Error) as caught:
            call()
        assert re.search(what, str(caught.value)), caught.value
        if not isinstance(caught.value, tesela.LimitError):
            assert isinstance(caught.value, MemoryError) and str(caught.value).startswith("out of memory: ")


def limited(program):
    """The output of a program with little free memory."""
    limits = "import resource\n"
    return subprocess.run([sys.executable, "-c", limits + program], capture_output=True, text=True, env=UNSANITIZED)


def test_memory_errors_of_a_run_name_what_was_allocated():
    done = limited("""
import numpy as np, tesela
x = np.zeros((4000, 4000, 2), np.float32)[::-1, ::-1, 0]
out = np.zeros((1, 1), np.float32)
plan = tesela.plan("resize", x, sizes=(1, 1), mode="linear", antialias=True)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (16 << 20), resource.RLIM_INFINITY))
try:
    plan(x, out=out, num_threads=1)
except MemoryError as error:
    print(type(error).__name__, error)
""")
    # The dense copy of the input, which one output needs as a whole, in the thread's scratch.
    found = re.fullmatch(r"NoMemoryError out of memory: (\d+) bytes of scratch\n", done.stdout)
    assert found and int(found[1]) >= 64_000_000, done.stdout + done.stderr
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
