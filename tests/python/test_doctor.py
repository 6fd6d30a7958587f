# SPDX-License-Identifier: Apache-2.0
"""tesela doctor: what the program, the package and a broken installation say."""

import json
import os
import subprocess
import sys

import cli_program
import jsonschema
import numpy as np
import onnxruntime
import openvino
import pytest
import tesela
import tesela.onnxruntime
from cli_program import DONE, MISMATCH, REPOSITORY, USAGE, succeed
from tesela._doctor import runtimes, trial

SCHEMA = json.loads((REPOSITORY / "docs" / "schemas" / "doctor.json").read_text())
VERSION = (REPOSITORY / "VERSION").read_text().strip()


@pytest.fixture(scope="module")
def found():
    return tesela.doctor()


def program(**variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TESELA_")} | variables
    done = subprocess.run([cli_program.PROGRAM, "doctor", "--json"], capture_output=True, text=True, env=environment, timeout=60)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    return done.returncode, document


def test_the_program_describes_the_library():
    status, document = program()
    assert (status, document["version"], document["problems"]) == (DONE, VERSION, [])
    assert os.path.samefile(document["library"], REPOSITORY / "build" / "libtesela.so") or "TESELA_LIBRARY" in os.environ
    sets = document["instruction_sets"]
    assert sets["chosen"] == next(name for name in sets["detected"] if name in sets["compiled"])
    assert "SCALAR" in sets["detected"] and document["libraries"]["fmt"].count(".") == 2


def test_threads_are_those_of_the_affinity():
    core = min(os.sched_getaffinity(0))
    words = ["taskset", "--cpu-list", str(core), cli_program.PROGRAM, "doctor", "--json"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TESELA_")}
    threads = json.loads(subprocess.run(words, capture_output=True, check=True, env=environment).stdout)["threads"]
    assert threads["affinity"] == threads["default"] == 1


@pytest.mark.parametrize("text,threads", [("3", 3), ("1024", 1024)])
def test_the_variable_sets_the_threads(text, threads):
    status, document = program(TESELA_NUM_THREADS=text)
    assert (status, document["threads"]["default"], document["threads"]["TESELA_NUM_THREADS"]) == (DONE, threads, text)


@pytest.mark.parametrize("text", ["0", "-1", "1025", "two", "2 ", "", "99999999999999999999"])
def test_a_variable_without_effect_is_a_problem(text):
    status, document = program(TESELA_NUM_THREADS=text)
    assert status == MISMATCH and document["threads"]["default"] == program()[1]["threads"]["default"]
    assert document["problems"] == [f"TESELA_NUM_THREADS is '{text}', which has no effect; expected 1 to 1024"]


def test_caches_are_those_of_the_variable():
    status, document = program(TESELA_CACHE_BYTES="1048576")
    assert (status, document["caches"]["taken_bytes"]) == (DONE, 1 << 20)
    status, document = program(TESELA_CACHE_BYTES="much")
    assert status == MISMATCH and "TESELA_CACHE_BYTES is 'much'" in document["problems"][0]


def test_the_text_says_the_same(monkeypatch):
    monkeypatch.setenv("TESELA_NUM_THREADS", "3")
    text = succeed("doctor")
    assert text.startswith(f"tesela {VERSION}, ") and "\nthreads: 3 by default; " in text and "(TESELA_NUM_THREADS=3)\n" in text
    monkeypatch.setenv("TESELA_NUM_THREADS", "\x1b[31m")
    done = cli_program.tesela("doctor")
    assert done.returncode == MISMATCH and b"\x1b" not in done.stdout and b"problem: TESELA_NUM_THREADS" in done.stdout


def test_the_program_rejects_words():
    cli_program.fail(USAGE, "doctor", "model.onnx")


def test_the_package_adds_python_and_runtimes(found):
    document = found.as_dict()
    jsonschema.validate(document, SCHEMA)
    assert found and found.problems == [] and document["version"] == tesela.__version__
    assert document["python"]["executable"] == sys.executable and document["python"]["packages"]["numpy"] == np.__version__
    assert document["plugins"]["onnxruntime"] == tesela.onnxruntime.get_library_path()
    versions = {row["name"]: (row["version"], row["works"]) for row in document["runtimes"]}
    assert versions == {"onnxruntime": (onnxruntime.__version__, True), "openvino": (openvino.__version__.partition("-")[0], True)}
    assert f"ONNX Runtime {onnxruntime.__version__}: runs with Tesela as execution provider" in str(found)


def test_the_verb_prints_the_document(found):
    done = subprocess.run([sys.executable, "-m", "tesela", "doctor", "--json"], capture_output=True, text=True, timeout=120)
    document = json.loads(done.stdout)
    assert done.returncode == DONE and document["plugins"] == found.as_dict()["plugins"]
    assert document["runtimes"] == found.as_dict()["runtimes"]


def test_a_runtime_that_does_not_work_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "onnxruntime.py").write_text("__version__ = '1.16.0'\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(runtimes, "RUNTIMES", runtimes.RUNTIMES[:1])
    found = tesela.doctor()
    assert not found and len(found.problems) == 1
    assert "ONNX Runtime 1.16.0 does not run with Tesela: ONNX Runtime 1.16.0 is too old; expected 1.17" in found.problems[0]


@pytest.mark.parametrize("program,expected", [
    ("import os; os._exit(3)", "its process ended with status 3"),
    ("print('noise'); raise ImportError('libfoo.so is missing')", "libfoo.so is missing"),
])
def test_a_runtime_that_breaks_is_a_problem(program, expected, tmp_path, monkeypatch):
    (tmp_path / "onnxruntime.py").write_text(program + "\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    answer = runtimes.examine(runtimes.RUNTIMES[0])
    assert answer["works"] is False and expected in answer["text"]


def test_a_runtime_that_is_not_installed_is_no_problem(monkeypatch):
    absent = runtimes.Runtime("absent", "Absent", "tesela_no_such_module")
    monkeypatch.setattr(runtimes, "RUNTIMES", (absent,))
    found = tesela.doctor()
    assert found and "Absent: not installed" in str(found)


def test_a_wrong_result_is_a_problem():
    assert trial._judged(np.array([1, 2, 1, 3], np.float32), "")["works"] is False
