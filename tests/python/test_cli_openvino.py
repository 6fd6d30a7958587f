# SPDX-License-Identifier: Apache-2.0
"""run, inspect, check and test on IRs, written by OpenVINO and invalid ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset1
import openvino.opset10
import openvino.opset11
import pytest
from cli_program import BAD, IO, LIMIT, UNSUPPORTED, fail, succeed, tesela
from onnx import numpy_helper


def parameter(name: str, type_: ov.Type, shape: str) -> ov.op.Parameter:
    made = ov.op.Parameter(type_, ov.PartialShape(shape))
    made.output(0).set_names({name})
    return made


def save(path: Path, output, *parameters) -> Path:
    output.set_names({"y"})
    ov.save_model(ov.Model([ov.op.Result(output)], list(parameters), "m"), path, compress_to_fp16=False)
    return path


def tile(path: Path, repeats=(2, 3), shape="?,?", type_=ov.Type.f32) -> Path:
    x = parameter("x", type_, shape)
    return save(path, ov.opset1.tile(x, np.array(repeats, np.int64)).output(0), x)


def test_run_of_model_saved_by_openvino(tmp_path):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "x.npy", x)
    succeed("run", tile(tmp_path / "m.xml"), "-i", f"x={tmp_path / 'x.npy'}", "-o", f"y={tmp_path / 'y.npy'}")
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.tile(x, (2, 3)))


def test_run_with_repeats_of_the_run(tmp_path):
    x, repeats = parameter("x", ov.Type.f32, "?,?,?,?"), parameter("repeats", ov.Type.i32, "4")
    model = save(tmp_path / "m.xml", ov.opset1.tile(x, repeats).output(0), x, repeats)
    array = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    np.savez(tmp_path / "in.npz", x=array, repeats=np.array([1, 2, 2, 2], np.int32))
    succeed("run", model, "-i", tmp_path / "in.npz", "-o", tmp_path / "y.npy")
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.tile(array, (1, 2, 2, 2)))


def test_inspect_and_check(tmp_path):
    x = parameter("x", ov.Type.f32, "1,1,?,?")
    node = ov.opset10.interpolate(x, np.array([1, 1], np.int64), np.array([2, 2], np.float32), mode="linear_onnx",
                                  shape_calculation_mode="scales", axes=np.array([2, 3]), antialias=True)
    model = save(tmp_path / "m.xml", node.output(0), x)
    document = json.loads(succeed("inspect", model, "--json"))
    assert document["format"] == "openvino" and document["ir_version"] == 11 and document["runnable"]
    assert document["producer"].startswith("OpenVINO ")
    (found,) = document["nodes"]
    assert (found["operator"], found["since_version"]) == ("Interpolate", 4)
    assert document["outputs"][0]["dims"] == [1, 1, None, None]
    assert "'antialias' has no effect in mode linear_onnx" in succeed("check", model)


@pytest.mark.parametrize("coefficient", [-0.75, -0.5])
def test_lint_finds_openvinos_coefficient_of_bicubic_pillow(coefficient, tmp_path):
    x = parameter("x", ov.Type.f32, "1,1,4,4")
    node = ov.opset11.interpolate(x, np.array([2, 2], np.int64), mode="bicubic_pillow", shape_calculation_mode="sizes",
                                  axes=np.array([2, 3]), cube_coeff=coefficient)
    said = succeed("lint", save(tmp_path / "m.xml", node.output(0), x))
    assert ("[openvino/pillow-coefficient]" in said) == (coefficient != -0.5)


def test_test_takes_folders_with_an_ir(tmp_path):
    folder = tmp_path / "case"
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    tile(folder / "model.xml")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    (data / "input_0.pb").write_bytes(numpy_helper.from_array(x, "x").SerializeToString())
    (data / "output_0.pb").write_bytes(numpy_helper.from_array(np.tile(x, (2, 3)), "y").SerializeToString())
    assert "1 passed, 0 failed" in succeed("test", folder)
    assert "1 passed, 0 failed" in succeed("test", folder / "model.xml")
    assert "PASS case" in succeed("test", "model.xml", cwd=folder)
    (data / "output_0.pb").write_bytes(numpy_helper.from_array(np.tile(x, (2, 3)) + 1, "y").SerializeToString())
    assert tesela("test", folder).returncode == 1


def test_models_with_foreign_layers_cannot_run(tmp_path):
    x = parameter("x", ov.Type.f32, "2")
    model = save(tmp_path / "m.xml", ov.opset1.relu(x).output(0), x)
    succeed("check", model)
    np.save(tmp_path / "x.npy", np.zeros(2, np.float32))
    assert "ReLU node" in fail(UNSUPPORTED, "run", model, "-i", tmp_path / "x.npy")


# ---- Files that are wrong ------------------------------------------------------------------------------------------


def damaged(tmp_path: Path, old: str, new: str) -> Path:
    model = tile(tmp_path / "m.xml")
    text = model.read_text()
    assert old in text
    model.write_text(text.replace(old, new))
    return model


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("</net>", "</nett>", "Start-end tags mismatch"),
        ("<net ", "<!DOCTYPE net SYSTEM 'file:///etc/passwd'><net ", "a document type"),
        ('offset="0"', 'offset="18446744073709551565"', "'offset' is '18446744073709551565'"),
        ('offset="0"', 'offset="-8"', "'offset' is '-8'"),
        ('offset="0"', 'offset="1e3"', "'offset' is '1e3'"),
        ('size="16"', 'size=" 16 "', "'size' is ' 16 '"),
        ('size="16"', 'size="15"', "'size' is 15; a constant i64 2 has 16"),
        ('element_type="i64"', 'element_type="u1"', "'size' is 16; a constant u1 2 has 1"),
        ('element_type="i64"', 'element_type="i4"', "'size' is 16; a constant i4 2 has 1"),
        ('element_type="i64"', 'element_type="i65"', "'element_type' is 'i65'"),
        (' size="16"', "", "'size' is ''"),
        (' offset="0"', "", "'offset' is ''"),
        ('offset="0"', 'offset="1"', "16 bytes at offset 1 are not inside"),
        ('layer id="1"', 'layer id="0"', "a second layer has the id 0"),
        ('to-port="1"', 'to-port="5"', "'to-port' is 5"),
        ('shape="?,?"', 'shape="1,,2"', "is not an extent"),
        ('shape="?,?"', 'shape="-2"', "extent -2 is below -1"),
    ],
)
def test_damaged_files(tmp_path, old, new, words):
    model = damaged(tmp_path, old, new)
    message = tesela("check", model)
    assert message.returncode == BAD, message
    said = (message.stdout + message.stderr).decode()
    assert words in said and "line " in said and "column " in said, said


def test_files_that_are_missing_or_short(tmp_path):
    model = tile(tmp_path / "m.xml")
    np.save(tmp_path / "x.npy", np.zeros((2, 3), np.float32))
    constants = model.with_suffix(".bin")
    constants.write_bytes(constants.read_bytes()[:-1])
    assert "which has 15" in fail(BAD, "run", model, "-i", tmp_path / "x.npy")
    constants.unlink()
    message = fail(IO, "run", model, "-i", tmp_path / "x.npy")
    assert "Const layer 'Constant_" in message and "cannot open" in message


def test_other_versions_and_limits(tmp_path):
    assert "expected 10 or 11" in fail(UNSUPPORTED, "check", damaged(tmp_path, 'version="11"', 'version="7"'))
    deep = tmp_path / "deep.xml"
    deep.write_text("<net>" * 100_000 + "</net>" * 100_000)
    assert "nested more than 256 deep" in fail(LIMIT, "check", deep)
    assert "an opset is assumed" in fail(UNSUPPORTED, "check", tile(tmp_path / "m.xml"), "--assume-opset", "13")
