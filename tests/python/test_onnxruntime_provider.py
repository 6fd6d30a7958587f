# SPDX-License-Identifier: Apache-2.0
"""The execution provider: changing shapes, subgraphs, threads, options, rejected nodes, failures."""

import concurrent.futures
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
import tesela
import tesela.onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def make_model(nodes, inputs, outputs, constants=None, opset=19):
    initializers = [numpy_helper.from_array(np.asarray(x), name) for name, x in (constants or {}).items()]
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info(*entry) for entry in inputs],
                              [helper.make_tensor_value_info(*entry) for entry in outputs], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def make_session(model, threads=1, only_ours=True, **options):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = threads
    if only_ours:
        settings.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    return tesela.onnxruntime.make_session(model, settings, provider_options=options)


def resize_model(**attributes):
    return make_model([helper.make_node("Resize", ["x", "", "scales"], ["y"], name="up", **attributes)],
                      [("x", FLOAT, ["N", "C", "H", "W"])], [("y", FLOAT, None)],
                      {"scales": np.float32([1, 1, 2, 1.5])})


def tile_model():
    return make_model([helper.make_node("Tile", ["x", "repeats"], ["y"], name="copies")],
                      [("x", FLOAT, ["H", "W"]), ("repeats", INT64, [2])], [("y", FLOAT, None)], opset=13)


def photo(*shape):
    return np.random.default_rng(sum(shape)).random(shape, dtype=np.float32)


# --- What is run ---------------------------------------------------------------------------------


def test_shapes_may_change_with_every_run():
    session = make_session(resize_model(mode="linear"))
    for _ in range(2):
        for n in range(1, 100):  # more shapes than plans that a node keeps
            x = photo(1, 2, n, 7)
            assert np.array_equal(session.run(None, {"x": x})[0], tesela.resize(x, scales=(1, 1, 2, 1.5), mode="linear"))


def test_values_may_change_with_every_run():
    session = make_session(tile_model())
    x = photo(3, 4)
    for n in range(150):
        repeats = np.array([n % 5, n % 7])
        assert np.array_equal(session.run(None, {"x": x, "repeats": repeats})[0], np.tile(x, repeats))


def test_a_model_of_fixed_shapes_may_be_given_others():
    model = resize_model()
    model.graph.input[0].type.CopyFrom(helper.make_tensor_type_proto(FLOAT, [1, 1, 2, 2]))
    session = make_session(model)
    x = photo(1, 1, 2, 2)
    assert np.array_equal(session.run(None, {"x": x})[0], tesela.resize(x, scales=(1, 1, 2, 1.5)))
    with pytest.raises(Exception, match="invalid dimensions"):
        session.run(None, {"x": photo(1, 1, 3, 3)})


def test_one_value_may_be_both_inputs():
    model = make_model([helper.make_node("Tile", ["x", "x"], ["y"])], [("x", INT64, [1])], [("y", INT64, None)])
    assert make_session(model).run(None, {"x": np.array([3])})[0].tolist() == [3, 3, 3]


def test_large_tensors_are_shared_among_the_threads_of_onnx_runtime():
    x = photo(1, 3, 600, 800)
    expected = tesela.resize(x, scales=(1, 1, 2, 1.5), mode="cubic", antialias=True)
    for threads in (1, 2, 4):
        session = make_session(resize_model(mode="cubic", antialias=1), threads)
        assert np.array_equal(session.run(None, {"x": x})[0], expected)


def test_nodes_of_subgraphs_are_run(tmp_path):
    branches = [helper.make_graph([helper.make_node("Tile", ["x", repeats], [f"z{k}"], name=f"branch{k}")], f"branch{k}",
                                  [], [helper.make_tensor_value_info(f"z{k}", FLOAT, None)])
                for k, repeats in enumerate(["held", "given"])]
    model = make_model([helper.make_node("Tile", ["w", "held"], ["x"], name="outside"),
                        helper.make_node("If", ["which"], ["y"], then_branch=branches[0], else_branch=branches[1])],
                       [("which", TensorProto.BOOL, []), ("w", FLOAT, ["N"]), ("given", INT64, [1])],
                       [("y", FLOAT, None)], {"held": np.array([2])})
    session = make_session(model, only_ours=False, profile=str(tmp_path / "table.md"))
    w = photo(3)
    for which, count in ((True, 4), (False, 10)):
        given = {"which": np.array(which), "w": w, "given": np.array([5])}
        assert np.array_equal(session.run(None, given)[0], np.tile(w, count))
    del session
    names = re.findall(r"node '(\w+)'", (tmp_path / "table.md").read_text())
    assert names == (["outside"] if onnxruntime.__version__.startswith("1.23.") else ["branch0", "branch1", "outside"])


def test_other_nodes_run_on_the_cpu_provider(tmp_path):
    table = tmp_path / "table.md"
    model = make_model(
        [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Resize", ["a", "", "scales"], ["b"], name="up"),
         helper.make_node("Shape", ["b"], ["s"]), helper.make_node("ConstantOfShape", ["s"], ["c"], name="zeros"),
         helper.make_node("Add", ["b", "c"], ["y"])],
        [("x", FLOAT, ["N", "M"])], [("y", FLOAT, None)], {"scales": np.float32([2, 2])})
    session = make_session(model, only_ours=False, profile=str(table))
    x = photo(2, 3) - np.float32(0.5)
    assert np.array_equal(session.run(None, {"x": x})[0], tesela.resize(np.maximum(x, 0), scales=(2, 2)))
    del session
    rows = table.read_text().splitlines()[2:]
    assert [row.split(" | ")[:3] for row in rows] == [
        ["| ConstantOfShape-9 node 'zeros'", "float 4x6", "1"], ["| Resize-19 node 'up'", "float 2x3 -> 4x6", "1"]]


def test_empty_tensors_and_scalars():
    session = make_session(tile_model())
    assert session.run(None, {"x": photo(0, 3), "repeats": np.array([2, 2])})[0].shape == (0, 6)
    assert session.run(None, {"x": photo(2, 3), "repeats": np.array([0, 1])})[0].shape == (0, 3)
    fill = make_session(make_model([helper.make_node("ConstantOfShape", ["s"], ["y"])], [("s", INT64, ["rank"])],
                                   [("y", FLOAT, None)], opset=9))
    assert fill.run(None, {"s": np.array([], np.int64)})[0].shape == ()
    assert fill.run(None, {"s": np.array([2, 0, 3])})[0].shape == (2, 0, 3)


def test_strings_of_any_length():
    model = make_model([helper.make_node("Tile", ["x", "repeats"], ["y"])], [("x", TensorProto.STRING, ["N"])],
                       [("y", TensorProto.STRING, None)], {"repeats": np.array([3])})
    x = np.array(["", "a", "\N{SNOWMAN} " * 1000], object)
    assert make_session(model).run(None, {"x": x})[0].tolist() == x.tolist() * 3


def test_many_threads_share_a_session():
    session = make_session(resize_model(mode="linear"), threads=2)
    photos = [photo(1, 2, 3 + n % 13, 40 + n % 7) for n in range(400)]
    expected = [tesela.resize(x, scales=(1, 1, 2, 1.5), mode="linear") for x in photos]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda x: session.run(None, {"x": x})[0], photos)
        assert all(np.array_equal(a, b) for a, b in zip(results, expected))


# --- What is refused -----------------------------------------------------------------------------


def test_bad_value_is_an_error_and_the_session_stays_usable():
    session = make_session(tile_model())
    x = photo(2, 2)
    for repeats, text in ((np.array([2, -1]), r"Tile-13 node 'copies': .*-1"),
                          (np.array([2**62, 2**62]), r"Tile-13 node 'copies'")):
        with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument, match=text):
            session.run(None, {"x": x, "repeats": repeats})
        assert np.array_equal(session.run(None, {"x": x, "repeats": np.array([1, 2])})[0], np.tile(x, (1, 2)))


def test_output_beyond_memory_is_an_error():
    session = make_session(tile_model())
    with pytest.raises(Exception, match="(?i)alloc|memory"):
        session.run(None, {"x": photo(2, 2), "repeats": np.array([2**29, 2**29])})
    assert session.run(None, {"x": photo(2, 2), "repeats": np.array([1, 1])})[0].shape == (2, 2)


def test_invalid_nodes_are_left_to_other_providers(capfd):
    model = resize_model()
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.float32([1, 1, -2, 1]), "scales"))
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 2
    with pytest.raises(Exception, match="up"):
        tesela.onnxruntime.make_session(model, settings, provider_options={"log": "nodes"})
    assert re.search(r"Resize node 'up': left to others: Resize-19 node 'up': .*-2", capfd.readouterr().err)


@pytest.mark.parametrize("options, text", [
    ({"semantic": "onnx"}, "unknown option 'semantic'; expected one of extents"),
    ({"log": "yes"}, "option 'log' is 'yes'; expected one of off, nodes, plans"),
    ({"semantics": "openvino"}, "option 'semantics' is 'openvino'; expected one of onnx, onnxruntime"),
    ({"profile": "/no/such/folder/table.md"}, "cannot write '/no/such/folder/table.md'"),
])
def test_invalid_options_are_rejected(options, text):
    with pytest.raises(Exception, match=re.escape(text)):
        make_session(tile_model(), **options)


def plain_session(model):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4
    settings.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("dtype, mode", [("uint8", "linear"), ("int8", "linear"), ("int32", "linear"), ("float16", "cubic"),
                                         ("float32", "cubic"), ("float32", "nearest")])
def test_onnx_runtime_semantics_match_onnx_runtime(dtype, mode):
    # 10 * 0.7f is 7 in its float32 and 6.99 in the standard; integers are truncated there and rounded here.
    model = make_model([helper.make_node("Resize", ["x", "", "scales"], ["y"], mode=mode)],
                       [("x", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), [1, 1, "H", "W"])],
                       [("y", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None)],
                       {"scales": np.float32([1, 1, 1.5, 0.7])})
    x = (photo(1, 1, 9, 10) * 100).astype(dtype)
    theirs = plain_session(model).run(None, {"x": x})[0]
    found = make_session(model, semantics="onnxruntime").run(None, {"x": x})[0]
    ours = make_session(model, extents="standard").run(None, {"x": x})[0]
    assert theirs.shape == found.shape == (1, 1, 13, 7) and ours.shape == (1, 1, 13, 6)
    assert np.allclose(found.astype(float), theirs.astype(float), rtol=0, atol=0 if mode == "nearest" else 1e-4 + (
        1 if np.dtype(dtype).kind in "iu" else 0.1 if dtype == "float16" else 0))


def test_onnx_runtime_semantics_wrap_integers():
    for mode in ("nearest", "linear"):
        model = make_model(
            [helper.make_node("Resize", ["x", "roi", "scales"], ["y"], mode=mode, extrapolation_value=300.7,
                              coordinate_transformation_mode="tf_crop_and_resize")],
            [("x", TensorProto.UINT8, [2, 8])], [("y", TensorProto.UINT8, None)],
            {"roi": np.float32([0, -1, 1, 2]), "scales": np.float32([1, 1.5])})
        x = np.arange(16, dtype=np.uint8).reshape(2, 8)
        theirs = plain_session(model).run(None, {"x": x})[0]
        found = make_session(model, semantics="onnxruntime").run(None, {"x": x})[0]
        assert theirs[0, 0] == 300 - 256 and np.abs(found.astype(int) - theirs).max() <= (mode == "linear")


@pytest.mark.parametrize("attributes, dtype", [({"mode": "linear", "antialias": 1}, TensorProto.UINT8),
                                               ({"mode": "cubic"}, TensorProto.INT8)])
def test_onnx_runtime_semantics_leave_unsupported_cases(attributes, dtype, capfd):
    model = make_model([helper.make_node("Resize", ["x", "", "scales"], ["y"], name="up", **attributes)],
                       [("x", dtype, ["N", "H", "W", "C"])], [("y", dtype, None)], {"scales": np.float32([1, 2, 2, 1])})
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 2
    session = tesela.onnxruntime.make_session(model, settings, provider_options={"semantics": "onnxruntime", "log": "nodes"})
    x = photo(1, 3, 4, 2)
    x = (x * 100).astype(helper.tensor_dtype_to_np_dtype(dtype))
    assert np.array_equal(session.run(None, {"x": x})[0], plain_session(model).run(None, {"x": x})[0])
    assert "Resize node 'up': left to others: semantics=onnxruntime" in capfd.readouterr().err


def test_onnx_runtime_semantics_keep_other_operators(tmp_path):
    model = make_model(
        [helper.make_node("Resize", ["x", "", "scales"], ["a"], name="up"), helper.make_node("Shape", ["a"], ["s"]),
         helper.make_node("ConstantOfShape", ["s"], ["b"], name="zeros"),
         helper.make_node("Tile", ["b", "s"], ["c"], name="copies"),
         helper.make_node("Resize", ["c", "", "scales"], ["y"], name="floats")],
        [("x", TensorProto.DOUBLE, ["N", "M"])], [("y", FLOAT, None)], {"scales": np.float32([2, 2])})
    session = make_session(model, only_ours=False, semantics="onnxruntime", profile=str(tmp_path / "table.md"))
    assert session.run(None, {"x": np.ones((1, 2))})[0].shape == (8, 32)
    del session
    names = re.findall(r"node '(\w+)'", (tmp_path / "table.md").read_text())
    assert names == ["zeros", "floats", "up", "copies"]


def test_log_shows_the_requested_detail(capfd):
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 2
    for log, expected in (("off", []), ("nodes", ["taken"]), ("plans", ["taken", "planned float 1x1x2x2 -> 1x1x4x3"])):
        session = tesela.onnxruntime.make_session(resize_model(), settings, provider_options={"log": log})
        session.run(None, {"x": photo(1, 1, 2, 2)})
        assert re.findall(r"Resize-19 node 'up': (.*?)(?:\x1b|\n)", capfd.readouterr().err) == expected
        settings = onnxruntime.SessionOptions()
        settings.log_severity_level = 2


def test_the_profile_is_written_when_the_session_ends(capfd):
    session = make_session(resize_model(), profile="stderr")
    for n in (2, 3, 2):
        session.run(None, {"x": photo(1, 1, n, 2)})
    assert capfd.readouterr().err == ""
    del session
    table = capfd.readouterr().err.splitlines()
    assert table[0] == "| node | shapes | runs | mean us | least us |"
    assert [row.split(" | ")[1:3] for row in table[2:]] == [["float 1x1x2x2 -> 1x1x4x3", "2"],
                                                            ["float 1x1x3x2 -> 1x1x6x3", "1"]]


# --- Loading -------------------------------------------------------------------------------------


def in_a_process(code):
    """Registration is per process, so each of these tests runs in a separate process."""
    lead = "import onnxruntime, numpy as np, sys, gc\nimport tesela.onnxruntime as ours\nonnxruntime.set_default_logger_severity(4)\n"
    return subprocess.run([sys.executable, "-c", lead + code], capture_output=True, text=True, timeout=120)


def test_sessions_outlive_the_registration(tmp_path):
    onnx.save(tile_model(), tmp_path / "tile.onnx")
    done = in_a_process(f"""
session = ours.make_session({str(tmp_path / 'tile.onnx')!r})
onnxruntime.unregister_execution_provider_library("tesela")
x = np.ones((2, 2), np.float32)
assert session.run(None, {{"x": x, "repeats": np.array([2, 3])}})[0].shape == (4, 6)
del session
gc.collect()
session = ours.make_session({str(tmp_path / 'tile.onnx')!r})  # registers it again
assert session.run(None, {{"x": x, "repeats": np.array([2, 3])}})[0].shape == (4, 6)
print("alive")
""")
    assert done.returncode == 0 and done.stdout == "alive\n", done.stderr


def test_a_missing_library_is_a_clear_error():
    done = in_a_process("""
try:
    onnxruntime.register_execution_provider_library("tesela", ours.get_library_path() + ".gone")
except Exception as error:
    print("gone" in str(error))
import pathlib
ours._LIBRARY = "libgone.so"
try:
    ours.register()
except ours._core.UnsupportedError as error:
    print("built without the plugin" in str(error))
""")
    assert done.returncode == 0 and done.stdout == "True\nTrue\n", done.stderr


def test_a_plugin_without_the_library_is_a_clear_error(tmp_path):
    plugin = shutil.copy(tesela.onnxruntime.get_library_path(), tmp_path / "alone.so")
    code = f"import onnxruntime\nonnxruntime.register_execution_provider_library('tesela', {str(plugin)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and re.search(r"alone\.so.*libtesela\.so\.0\.1: cannot open shared object", done.stderr)


class OldRuntime:
    """A stub of ONNX Runtime for the plugin, of a version that only has statuses."""

    class Api(ctypes.Structure):
        _fields_ = [("create_status", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p))]

    class Base(ctypes.Structure):
        _fields_ = [("get_api", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)),
                    ("get_version", ctypes.CFUNCTYPE(ctypes.c_void_p))]

    def __init__(self, minor):
        self.told, self.version = [], ctypes.c_char_p(b"1.%d.1" % minor)
        self.api = self.Api(self.Api._fields_[0][1](lambda code, text: self.told.append(text.decode()) or 1))
        self.base = self.Base(
            self.Base._fields_[0][1](lambda asked: ctypes.addressof(self.api) if asked <= minor else None),
            self.Base._fields_[1][1](lambda: ctypes.cast(self.version, ctypes.c_void_p).value))


def test_an_old_runtime_is_refused_with_its_version():
    library = ctypes.CDLL(tesela.onnxruntime.get_library_path())
    library.CreateEpFactories.restype = library.RegisterCustomOps.restype = ctypes.c_void_p
    old = OldRuntime(22)
    factories, count = (ctypes.c_void_p * 4)(), ctypes.c_size_t(0)
    assert library.CreateEpFactories(b"tesela", ctypes.byref(old.base), None, factories, ctypes.c_size_t(4),
                                     ctypes.byref(count)) == 1
    assert old.told == ["TeselaExecutionProvider needs ONNX Runtime 1.23 or newer; this is 1.22.1"] and count.value == 0
    old = OldRuntime(16)
    assert library.RegisterCustomOps(None, ctypes.byref(old.base)) == 1
    assert old.told == ["Tesela's operators need ONNX Runtime 1.17 or newer; this is 1.16.1"]


def test_library_exports_only_its_entries_and_does_not_link_onnx_runtime():
    path = tesela.onnxruntime.get_library_path()
    shown = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    entries = ["CreateEpFactories", "RegisterCustomOps", "ReleaseEpFactory"]
    assert sorted(line.split()[-1] for line in shown.splitlines()) == entries
    needed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    assert "libtesela.so" in needed and "onnxruntime.so" not in needed.replace(pathlib.Path(path).name, "")


def test_names_are_those_of_the_registered_provider():
    devices = tesela.onnxruntime.register()
    assert [device.ep_name for device in devices] == tesela.onnxruntime.get_ep_names() == [tesela.onnxruntime.get_ep_name()]
    assert len(tesela.onnxruntime.register()) == len(devices)


def test_the_example_in_cpp(tmp_path):
    root = pathlib.Path(__file__).resolve().parents[2]
    capi = pathlib.Path(onnxruntime.__file__).parent / "capi"
    (library,) = capi.glob("libonnxruntime.so.*")
    (tmp_path / "libonnxruntime.so.1").symlink_to(library)  # its soname, which packages for C++ have as a link
    (tmp_path / "libonnxruntime_providers_shared.so").symlink_to(capi / "libonnxruntime_providers_shared.so")
    program = tmp_path / "example"
    subprocess.run(["g++", "-std=c++17", "-isystem", root / "build" / "onnxruntime-headers",
                    root / "examples" / "onnxruntime.cc", library, f"-Wl,-rpath,{tmp_path}", "-o", program], check=True)
    onnx.save(resize_model(mode="linear"), tmp_path / "model.onnx")
    plugin = tesela.onnxruntime.get_library_path()
    done = subprocess.run([program, plugin, tmp_path / "model.onnx", "1", "1", "2", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shape, values = done.stdout.splitlines()
    expected = tesela.resize(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2), scales=(1, 1, 2, 1.5), mode="linear")
    assert shape.split() == ["1", "1", "4", "3"]
    assert np.allclose(np.array(values.split(), np.float32), expected.reshape(-1), rtol=1e-5)
    assert "Resize-19 node 'up'" in done.stderr
    failed = subprocess.run([program, "no-such-plugin.so", tmp_path / "model.onnx"], capture_output=True, text=True)
    assert failed.returncode == 1 and "no-such-plugin.so" in failed.stderr


# --- Constant folding ----------------------------------------------------------------------------


# The opset that added each type to ConstantOfShape; for the newest types one that every supported runtime has.
FILL_OPSETS = dict.fromkeys(["float16", "float32", "float64", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
                             "uint32", "uint64"], 9)
FILL_OPSETS |= dict.fromkeys(["bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"], 20)
FILL_OPSETS |= dict.fromkeys(["int4", "uint4"], 21)


@pytest.mark.parametrize("dtype", FILL_OPSETS)
def test_folding_stays_on_unless_a_type_forbids_it(dtype):
    value = numpy_helper.from_array(np.ones(1, getattr(ml_dtypes, dtype, None) or dtype))
    model = make_model([helper.make_node("ConstantOfShape", ["s"], ["y"], value=value)], [],
                       [("y", value.data_type, None)], {"s": np.array([2, 3])}, opset=FILL_OPSETS[dtype])
    try:
        plain_session(model)
    except Exception:
        folds = False
    else:
        folds = True
    assert folds == (dtype == "bfloat16" or FILL_OPSETS[dtype] == 9)
    assert tesela.onnxruntime._stops_folding(model.SerializeToString()) != folds
    session = make_session(model, only_ours=False)
    assert session.run_with_ort_values(None, {})[0].shape() == [2, 3]
