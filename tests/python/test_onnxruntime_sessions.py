# SPDX-License-Identifier: Apache-2.0
"""Sessions of tesela.onnxruntime: extents, options used twice, profiles, errors before a session is created, and versions of
ONNX Runtime that are too old."""

import json
import subprocess
import sys

import numpy as np
import onnxruntime
import pytest
import tesela
import tesela.onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
FLOAT = TensorProto.FLOAT


def quiet():
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return options


def make_model(nodes, inputs, outputs, constants, opset):
    initializers = [numpy_helper.from_array(np.asarray(x), name) for name, x in constants.items()]
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info(*entry) for entry in inputs],
                              [helper.make_tensor_value_info(*entry) for entry in outputs], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return model.SerializeToString()


def sized_model(height, width, opset=10):
    """PyTorch's export of interpolate(x, size=...) in opset 10: scales from shapes at run time, then an Add with a tensor of
    that size."""
    nodes = [helper.make_node("Shape", ["x"], ["shape"]),
             helper.make_node("Slice", ["shape", "from", "to"], ["extents"]) if opset >= 10 else
             helper.make_node("Slice", ["shape"], ["extents"], starts=[2], ends=[4]),
             helper.make_node("Cast", ["extents"], ["floats"], to=FLOAT),
             helper.make_node("Div", ["wanted", "floats"], ["ratios"]),
             helper.make_node("Concat", ["ones", "ratios"], ["scales"], axis=0),
             helper.make_node("Resize" if opset >= 10 else "Upsample", ["x", "scales"], ["resized"], name="up", mode="linear"),
             helper.make_node("Add", ["resized", "other"], ["y"], name="add")]
    constants = {"wanted": np.float32([height, width]), "ones": np.float32([1, 1]),
                 "other": np.zeros((1, 1, height, width), np.float32)}
    if opset >= 10:
        constants |= {"from": np.array([2]), "to": np.array([4])}
    return make_model(nodes, [("x", FLOAT, ["n", "c", "h", "w"])], [("y", FLOAT, None)], constants, opset)


def two_nodes():
    return make_model([helper.make_node("Relu", ["x"], ["r"], name="relu"),
                       helper.make_node("Resize", ["r", "scales"], ["u"], name="up"),
                       helper.make_node("Tile", ["u", "repeats"], ["y"], name="copies")],
                      [("x", FLOAT, ["h", "w"])], [("y", FLOAT, None)],
                      {"scales": np.float32([1, 2]), "repeats": np.array([2, 1])}, 10)


X = np.random.default_rng(1).random((1, 1, 48, 10), dtype=np.float32)

# --- Extents -------------------------------------------------------------------------------------


@pytest.mark.parametrize("opset, height, width", [(10, 40, 31), (10, 67, 7), (9, 49, 31), (9, 61, 23)])
def test_ratio_scales_match_onnx_runtime_extents(opset, height, width):
    model = sized_model(height, width, opset)
    stock = onnxruntime.InferenceSession(model, quiet(), providers=["CPUExecutionProvider"]).run(None, {"x": X})[0]
    assert stock.shape == (1, 1, height, width)
    scales = np.float32([1, 1, height, width]) / np.float32([1, 1, 48, 10])
    plan = tesela.plan("upsample", X, scales=scales, mode="linear", opset=9, extents="host") if opset == 9 else \
        tesela.plan("resize", X, scales=scales, mode="linear", opset=10, extents="host")
    for session in (tesela.onnxruntime.make_session(model, quiet()),
                    tesela.onnxruntime.make_session(model, quiet(), provider_options={"extents": "host"}),
                    onnxruntime.InferenceSession(model, tesela.onnxruntime.override(quiet()))):
        y = session.run(None, {"x": X})[0]
        assert np.array_equal(y, plan(X))
        np.testing.assert_allclose(y, stock, atol=1e-5)


def test_option_selects_standard_extents():
    model = sized_model(40, 31)  # 39 x 30 in the standard, to which 40 x 31 cannot be added
    for session in (tesela.onnxruntime.make_session(model, quiet(), provider_options={"extents": "standard"}),
                    onnxruntime.InferenceSession(model, tesela.onnxruntime.override(quiet(), extents="standard"))):
        with pytest.raises(Exception, match="'add'.*30 by 31"):
            session.run(None, {"x": X})


def test_invalid_or_conflicting_extent_rules_are_rejected():
    model = sized_model(40, 31)
    with pytest.raises(Exception, match="option 'extents' is 'hots'; expected one of host, standard"):
        tesela.onnxruntime.make_session(model, quiet(), provider_options={"extents": "hots"})
    with pytest.raises(Exception, match="option 'extents' is 'hots'; expected one of host, standard"):
        tesela.onnxruntime.override(quiet(), extents="hots")
    with pytest.raises(Exception, match="'extents' is 'standard' together with semantics=onnxruntime"):
        tesela.onnxruntime.make_session(model, quiet(), provider_options={"extents": "standard", "semantics": "onnxruntime"})


def test_constant_scales_match_onnx_runtime_extents():
    model = make_model([helper.make_node("Resize", ["x", "scales"], ["y"])], [("x", FLOAT, [10])], [("y", FLOAT, None)],
                       {"scales": np.float32([0.7])}, 10)
    x = np.arange(10, dtype=np.float32)
    for extents, expected in (("host", 7), ("standard", 6)):
        session = tesela.onnxruntime.make_session(model, quiet(), provider_options={"extents": extents})
        assert np.array_equal(session.run(None, {"x": x})[0], tesela.resize(x, scales=(0.7,), opset=10, extents=extents))
        assert session.run(None, {"x": x})[0].shape == (expected,)


# --- Options of the caller -----------------------------------------------------------------------


def test_session_options_serve_any_number_of_sessions():
    options = quiet()
    x = np.ones((2, 3), np.float32)
    for settings in ({"semantics": "onnxruntime"}, {}, {"extents": "standard"}):
        session = tesela.onnxruntime.make_session(two_nodes(), options, provider_options=settings)
        assert session.get_providers() == ["TeselaExecutionProvider", "CPUExecutionProvider"]
        assert session.run(None, {"x": x})[0].shape == (4, 6)
    # Settings apply to one call only.
    x = np.zeros(10, np.float32)
    model = make_model([helper.make_node("Resize", ["x", "scales"], ["y"])], [("x", FLOAT, [10])], [("y", FLOAT, None)],
                       {"scales": np.float32([0.7])}, 10)
    for settings, expected in (({"extents": "standard"}, 6), ({}, 7)):
        session = tesela.onnxruntime.make_session(model, options, provider_options=settings)
        assert session.run(None, {"x": x})[0].shape == (expected,)
    assert onnxruntime.InferenceSession(model, options).run(None, {"x": x})[0].shape == (7,)


def test_other_providers_follow_tesela():
    if "TeselaExecutionProvider" in (tesela.onnxruntime.register() and onnxruntime.get_available_providers()):
        session = tesela.onnxruntime.make_session(two_nodes(), quiet(), providers=["CPUExecutionProvider"])
        assert session.get_providers() == ["TeselaExecutionProvider", "CPUExecutionProvider"]
    else:
        with pytest.raises(tesela.UnsupportedError, match="providers: ONNX Runtime"):
            tesela.onnxruntime.make_session(two_nodes(), quiet(), providers=["CPUExecutionProvider"])


def test_a_failed_call_leaves_the_options_usable():
    options = quiet()
    with pytest.raises(Exception, match="option 'semantics' is 'mine'"):
        tesela.onnxruntime.make_session(two_nodes(), options, provider_options={"semantics": "mine"})
    with pytest.raises(Exception, match="unknown option 'semantic'"):
        tesela.onnxruntime.make_session(two_nodes(), options, provider_options={"semantic": "onnx"})
    assert tesela.onnxruntime.make_session(two_nodes(), options).run(None, {"x": np.ones((1, 1), np.float32)})


def test_override_may_be_called_twice():
    options = tesela.onnxruntime.override(quiet())
    assert tesela.onnxruntime.override(options) is options
    session = onnxruntime.InferenceSession(two_nodes(), options)
    assert session.run(None, {"x": np.ones((2, 3), np.float32)})[0].shape == (4, 6)
    with pytest.raises(tesela.UsageError, match="extents 'host'"):
        tesela.onnxruntime.override(options, extents="standard")


def test_options_that_already_have_the_provider_are_rejected():
    options = quiet()
    options.add_provider_for_devices(tesela.onnxruntime.register(), {})
    with pytest.raises(tesela.UsageError, match="already have the provider.*yourself"):
        tesela.onnxruntime.make_session(two_nodes(), options)


def test_a_model_that_cannot_be_written_is_refused_before_the_session_is_made(tmp_path):
    options = quiet()
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    with pytest.raises(tesela.UnsupportedError, match="optimized_model_filepath.*override"):
        tesela.onnxruntime.make_session(two_nodes(), options)
    assert not list(tmp_path.iterdir())
    # The suggested fixes.
    x = np.ones((2, 3), np.float32)
    onnxruntime.InferenceSession(two_nodes(), tesela.onnxruntime.override(options))
    written = tmp_path / "optimized.onnx"
    assert tesela.onnxruntime.make_session(str(written), quiet()).run(None, {"x": x})[0].shape == (4, 6)


# --- Profiles ------------------------------------------------------------------------------------


def kernel_events(path):
    with open(path) as file:
        return {(event["name"], event["args"]["op_name"], event["args"]["provider"])
                for event in json.load(file) if event["name"].endswith("_kernel_time")}


def test_a_profile_has_the_names_of_nodes(tmp_path):
    options = quiet()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile")
    sessions = [tesela.onnxruntime.make_session(two_nodes(), options) for _ in range(2)]
    for session in sessions:
        session.run(None, {"x": np.ones((2, 3), np.float32)})
        assert kernel_events(session.end_profiling()) == {
            ("relu_kernel_time", "Relu", "CPUExecutionProvider"),
            ("up_kernel_time", "Resize", "TeselaExecutionProvider"),
            ("copies_kernel_time", "Tile", "TeselaExecutionProvider")}
    assert not [path for path in tmp_path.iterdir() if "profile" not in path.name]


def test_profile_escapes_node_names(tmp_path):
    name = 'a "b"\\\n\té'
    model = make_model([helper.make_node("Tile", ["x", "repeats"], ["y"], name=name)], [("x", FLOAT, ["n"])],
                       [("y", FLOAT, None)], {"repeats": np.array([2])}, 13)
    options = quiet()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile")
    session = tesela.onnxruntime.make_session(model, options)
    session.run(None, {"x": np.ones(2, np.float32)})
    assert kernel_events(session.end_profiling()) == {(f"{name}_kernel_time", "Tile", "TeselaExecutionProvider")}


def test_a_file_of_names_that_cannot_be_written_is_an_error():
    with pytest.raises(Exception, match="option 'names': cannot write '/nonexistent/names'"):
        tesela.onnxruntime.make_session(two_nodes(), quiet(), provider_options={"names": "/nonexistent/names"})


# --- Registration, and what is missing -----------------------------------------------------------


def in_a_process(code):
    lead = "import sys, types\n"
    return subprocess.run([sys.executable, "-c", lead + code], capture_output=True, text=True, timeout=120)


def test_second_registration_name_is_rejected():
    done = in_a_process("""
import numpy as np, onnxruntime
import tesela.onnxruntime as ours
onnxruntime.set_default_logger_severity(4)
onnxruntime.register_execution_provider_library("mine", ours.get_library_path())
try:
    onnxruntime.register_execution_provider_library("other", ours.get_library_path())
except Exception as error:
    print("registered already, as 'mine'" in str(error))
print(len(ours.register()), len(ours.register("third")))
onnxruntime.unregister_execution_provider_library("mine")
onnxruntime.register_execution_provider_library("other", ours.get_library_path())
print(len(ours.register()))
""")
    assert done.returncode == 0 and done.stdout == "True\n1 1\n1\n", done.stderr


def test_two_copies_of_the_library_are_distinguished(tmp_path):
    done = in_a_process("""
import os, shutil, onnxruntime
import tesela.onnxruntime as ours
onnxruntime.set_default_logger_severity(4)
path = ours.get_library_path()
copy = os.path.join(os.path.dirname(path), "libtesela_onnxruntime_copy.so")
shutil.copy(path, copy)
try:
    onnxruntime.register_execution_provider_library("a", path)
    onnxruntime.register_execution_provider_library("b", copy)
    try:
        ours.make_session(b"")
    except ours._core.UnsupportedError as error:
        print("registered 2 times" in str(error))
finally:
    os.remove(copy)
""")
    assert done.returncode == 0 and done.stdout == "True\n", done.stderr


FAKE = """
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "onnxruntime":
            raise ModuleNotFoundError("No module named 'onnxruntime'", name="onnxruntime")
if VERSION:
    sys.modules["onnxruntime"] = types.ModuleType("onnxruntime")
    sys.modules["onnxruntime"].__version__ = VERSION
else:
    sys.meta_path.insert(0, Finder())
import tesela.onnxruntime as ours
for call in (ours.make_session, ours.override):
    try:
        call(b"") if call is ours.make_session else call()
    except Exception as error:
        print(type(error).__name__, "|", error)
"""


@pytest.mark.parametrize("version, provider, override", [
    (None, "ImportError | ONNX Runtime is not installed: pip install 'onnxruntime>=1.23'",
     "ImportError | ONNX Runtime is not installed: pip install 'onnxruntime>=1.17'"),
    ("1.16.3", "UnsupportedError | ONNX Runtime 1.16.3 is too old; expected 1.23 or newer: pip install --upgrade "
     "'onnxruntime>=1.23'",
     "UnsupportedError | ONNX Runtime 1.16.3 is too old; expected 1.17 or newer: pip install --upgrade 'onnxruntime>=1.17'"),
    ("1.22.1", "UnsupportedError | ONNX Runtime 1.22.1 is too old; expected 1.23 or newer: pip install --upgrade "
     "'onnxruntime>=1.23', or use tesela.onnxruntime.override(), which works from 1.17 on", None),
])
def test_missing_or_old_runtime_is_named_with_the_fix(version, provider, override):
    done = in_a_process(f"VERSION = {version!r}\n{FAKE}")
    told = done.stdout.splitlines()
    assert done.returncode == 0 and told[0] == provider, done
    assert override is None or told[1] == override
