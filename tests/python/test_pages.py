# SPDX-License-Identifier: Apache-2.0
"""Examples of pages in docs run in order in one folder and print what they show, and each verb has such a page. Each document that
--json prints is what its schema in docs/schemas says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

import jsonschema
import numpy as np
import pytest
import tesela
from cli_program import BAD, DONE, MISMATCH, REPOSITORY, UNSANITIZED, save_model, save_pb, tile_model
from onnx import TensorProto, helper

DOCS = REPOSITORY / "docs"
COMMAND = [sys.executable, "-m", "tesela"]
PAGES = {"tile": "resize", "fill": "resize"}  # of verbs without a page of their own
# Pages about other things than a verb.
OTHERS = ["streaming", "tour", "who-equals-whom", *(path.relative_to(DOCS).with_suffix("").as_posix()
                                       for folder in ("howto", "operators") for path in sorted((DOCS / folder).glob("*.md")))]


def command(*words, folder):
    return subprocess.run([*COMMAND, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)


def help_of(*words) -> str:
    return command(*words, "--help", folder=None).stdout


VERBS = re.findall(r"^  (\w+)  ", "".join(re.findall(r"^Verbs[^\n]*:\n((?:  .*\n)+)", help_of(), re.MULTILINE)), re.MULTILINE)


def page(verb: str) -> str:
    return (DOCS / f"{PAGES.get(verb, verb)}.md").read_text()


def test_the_help_lists_verbs():
    assert {"run", "inspect", "check", "resize", "tile", "fill", "identify", "compare"} <= set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_page_with_an_example(verb):
    assert f"\n$ tesela {verb}" in page(verb)


@pytest.mark.parametrize("name", [*sorted({PAGES.get(verb, verb) for verb in VERBS}), *OTHERS])
def test_examples_of_a_page_run(name, tmp_path, monkeypatch):
    """Commands begin with $ and show their output; a line of dots, or dots at the end of a line, stand for anything."""
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "example"}
    for language, block in re.findall(r"```(python|console)\n(.*?)```", (DOCS / f"{name}.md").read_text(), re.DOTALL):
        if language == "python":
            exec(compile(block, f"{name}.md", "exec"), names)
            continue
        for words, shown in re.findall(r"^\$ tesela (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
            done = command(*shlex.split(words), folder=tmp_path)
            assert done.returncode in (DONE, MISMATCH, BAD), done
            pattern = ".*".join(map(re.escape, re.split(r"\.\.\.\n", shown)))
            assert re.fullmatch(pattern, done.stdout, re.DOTALL), (words, done.stdout, done.stderr)


@pytest.mark.parametrize("name", ["howto/embed-c", "howto/embed-cpp"])
def test_programs_of_a_page_compile_and_run(name, tmp_path):
    text = (DOCS / f"{name}.md").read_text()
    language, compiler, ending = ("cpp", "c++ -std=c++20", "cc") if name.endswith("cpp") else ("c", "cc", "c")
    libraries = REPOSITORY / "build"  # whatever sanitizers this process has: compilers and the programs run without
    arguments = [[], [REPOSITORY / "examples/contact_sheet.onnx", REPOSITORY / "examples/grace_hopper.jpg", tmp_path / "sheet.png"]]
    outputs = []
    for block, given in zip(re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL), arguments):
        source = tmp_path / f"program.{ending}"
        source.write_text(block)
        subprocess.run([*compiler.split(), "-Wall", "-Wextra", "-Werror", source, f"-I{REPOSITORY / 'include'}", f"-L{libraries}",
                        "-ltesela", f"-Wl,-rpath,{libraries}", "-o", tmp_path / "program"], check=True, timeout=300, env=UNSANITIZED)
        done = subprocess.run([tmp_path / "program", *given], check=True, capture_output=True, text=True, timeout=60, env=UNSANITIZED)
        outputs.append(done.stdout)
    assert f"It prints `{outputs[0].strip()}`" in text
    if language == "cpp":
        assert outputs[1] == "no faults, no notes\n" and (tmp_path / "sheet.png").stat().st_size > 0


# --- Documents -----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    """Small files of every kind that the verbs read."""
    tile_model(tmp_path / "m.onnx")
    nodes = [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("NonZero", ["r"], ["n"], name="nz"),
             helper.make_node("Cast", ["n"], ["f"], to=TensorProto.FLOAT),
             helper.make_node("Resize", ["f", "", "scales"], ["y"], name="up", mode="bilinear"),
             helper.make_node("Resize", ["f", "", "scales"], ["z"], name="tf", mode="nearest",
                              coordinate_transformation_mode="tf_half_pixel_for_nn", cubic_coeff_a=-0.5)]
    save_model(tmp_path / "faulty.onnx", nodes, {"x": (TensorProto.FLOAT, ["n", 3]), "d": (TensorProto.FLOAT, [2])},
               {"y": (TensorProto.FLOAT, None)}, initializers={"scales": np.float32([1, 2]), "d": np.float32([1, 2])})
    np.save(tmp_path / "x.npy", np.float32([[1, np.nan, np.inf], [1, 2, 3]]))
    np.save(tmp_path / "y.npy", tesela.resize(np.load(tmp_path / "x.npy"), sizes=(4, 6)))
    save_model(tmp_path / "types.onnx",
               [helper.make_node("Tile", [name, "repeats"], [name.upper()]) for name in "cs"],
               {"c": (TensorProto.COMPLEX64, [1]), "s": (TensorProto.STRING, [1])},
               {"C": (TensorProto.COMPLEX64, [2]), "S": (TensorProto.STRING, [2])}, initializers={"repeats": np.int64([2])})
    save_pb(tmp_path / "c.pb", np.complex64([1 + 2j]), "c")
    save_pb(tmp_path / "s.pb", np.array(["text"], dtype=object), "s")
    for name, number in (("good", 2), ("bad", 3)):
        data = tmp_path / "cases" / name / "test_data_set_0"
        data.mkdir(parents=True)
        tile_model(data.parent / "model.onnx", repeats=(number, 1))
        save_pb(data / "input_0.pb", np.float32([[1, 2]]), "x")
        save_pb(data / "output_0.pb", np.float32([[1, 2]] * 2), "y")
    return tmp_path


# At least one call of each verb that has --json.
DOCUMENTS = {
    "run": ["m.onnx -i x.npy", "types.onnx -i c=c.pb -i s=s.pb"],
    "inspect": ["m.onnx", "faulty.onnx", "types.onnx"],
    "check": ["m.onnx", "faulty.onnx"],
    "lint": ["m.onnx", "faulty.onnx"],
    "test": ["cases"],
    "ops": [""],
    "bench": ["'fill float -> 4 value=nan' --seconds 0", f"--list --file {REPOSITORY / 'tests' / 'cases.txt'}"],
    "explain": ["'cubic float 4x5 -> 8x3'"],
    "identify": ["x.npy y.npy"],
    "fix": ["m.onnx -o n.onnx", "faulty.onnx -o n.onnx"],
    "doctor": [""],
    "conformance": ["--backend reference --feature nearest-ties --cases 2 --no-reduce"],
    "compare": ["'linear float 4x5 -> 8x3' --with reference --repeat 0"],
    "pyramid": ["y.npy y.zarr --factors 2", "y.npy y.tif --levels 1", "y.npy z.zarr --shards 8 --chunks 4 --units mm"],
}


def test_each_verb_with_json_is_tested():
    assert set(DOCUMENTS) == {verb for verb in VERBS if "--json" in help_of(verb)}


@pytest.mark.parametrize("verb", DOCUMENTS)
def test_documents_are_as_their_schema(verb, files):
    schema = json.loads((DOCS / "schemas" / f"{verb}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert f"schemas/{verb}.json" in page(verb)
    for words in DOCUMENTS[verb]:
        done = command(verb, *shlex.split(words), "--json", folder=files)
        assert done.returncode in (DONE, MISMATCH, BAD), done
        jsonschema.validate(json.loads(done.stdout), schema, cls=jsonschema.Draft202012Validator)
