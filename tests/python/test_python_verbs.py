# SPDX-License-Identifier: Apache-2.0
"""The command of the Python package: its own verbs, and everything else by the program."""

import json
import os
import signal
import subprocess
import sys
import time

import cli_program
import jsonschema
import numpy as np
import pytest
import tesela
from cli_program import BAD, DONE, INTERRUPTED, IO, REPOSITORY, UNSUPPORTED, USAGE, save_npy
from tesela import _verbs

COMMAND = [sys.executable, "-m", "tesela"]
EVERY = _verbs.VERBS + _verbs.EXTENDED


def command(*words, input=b""):
    return subprocess.run([*COMMAND, *map(str, words)], input=input, capture_output=True, timeout=120)


def fail(status, *words):
    """The message: one line, and the only output."""
    done = command(*words)
    message = done.stderr.decode()
    assert done.returncode == status and not done.stdout, done
    assert message.startswith("tesela: ") and message.count("\n") == 1 and len(message) < 330, message
    return message


@pytest.fixture
def files(tmp_path):
    x = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    return save_npy(tmp_path / "x.npy", x), save_npy(tmp_path / "y.npy", tesela.resize(x, sizes=(9, 11), axes=(0, 1), mode="linear"))


def test_help_lists_the_verbs_of_the_package():
    text = command("--help").stdout.decode()
    listed = text.partition("Verbs of the Python package:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in listed.splitlines()] == list(_verbs.VERBS)


@pytest.mark.parametrize("verb", EVERY)
def test_each_verb_has_help(verb):
    text = command(verb, "--help").stdout.decode()
    assert text.startswith(f"usage: tesela {verb}") and "Examples:\n" in text and "--json" in text


@pytest.mark.parametrize("verb", _verbs.VERBS)
def test_the_program_says_how_to_get_a_verb(verb):
    for words in ([], ["a", "b"], ["--help"], ["a", "--json", "b"]):
        message = cli_program.fail(UNSUPPORTED, verb, *words)
        assert f"'{verb}' is a verb of the Python package" in message and "pip install" in message


def test_other_verbs_run_in_the_program(files):
    x, y = files
    assert command("resize", x, "-", "--sizes", "2,3", "--format", "npy").stdout == cli_program.tesela(
        "resize", x, "-", "--sizes", "2,3", "--format", "npy").stdout
    assert command("tile", "-", "-", "--repeats=1,1,1", "--format", "npy", "--quiet", input=y.read_bytes()).stdout
    assert "unknown verb 'identfy' (did you mean 'identify'?)" in fail(USAGE, "identfy")
    assert fail(IO, "inspect", "missing.onnx")


def test_identify_prints_text_and_json(files):
    text = command("identify", *files)
    assert text.returncode == DONE and b'tesela.resize(x, sizes=(9, 11), axes=(0, 1), mode="linear")\n' in text.stdout
    told = json.loads(command("identify", *files, "--json").stdout)
    jsonschema.validate(told, json.loads((REPOSITORY / "docs" / "schemas" / "identify.json").read_text()))
    assert told["groups"][0]["settings"][0]["attributes"] == {"mode": "linear"}


def test_files_of_every_kind_and_the_standard_input(files, tmp_path):
    x, y = files
    photo, small = tmp_path / "x.png", tmp_path / "y.png"
    for source, image in ((x, photo), (y, small)):
        assert command("tile", source, image, "--repeats", "1,1,1").returncode == DONE
    np.savez(tmp_path / "both.npz", a=np.load(x), b=np.load(y))
    both = tmp_path / "both.npz"
    for words in ((photo, small), (both, both, "--entry=a", "--output_entry=b"), (photo, y), (x, "-")):
        done = command("identify", *words, "--quiet", input=y.read_bytes())
        assert done.returncode == DONE and b'mode="linear")\n' in done.stdout and not done.stderr, words


def test_wrong_words_and_files(files, tmp_path):
    x, y = files
    assert "required: OUT; see tesela identify --help" in fail(USAGE, "identify", x)
    assert "unknown option '--jsn' of identify (did you mean '--json'?)" in fail(USAGE, "identify", x, y, "--jsn")
    assert "identify: unexpected argument 'z'" in fail(USAGE, "identify", x, y, "z")
    assert "unknown option '--js' of identify" in fail(USAGE, "identify", x, y, "--js")
    assert "cannot open" in fail(IO, "identify", x, tmp_path / "missing.npy")
    damaged = tmp_path / "damaged.npy"
    damaged.write_bytes(x.read_bytes()[:100])
    assert fail(BAD, "identify", damaged, y)
    empty = save_npy(tmp_path / "empty.npy", np.zeros((0, 3)))
    assert "x has the shape (0, 3); expected at least one element" in fail(BAD, "identify", empty, y)


def test_output_that_cannot_be_written(files):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, "identify", *files], stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == IO and done.stderr.decode() == "tesela: cannot write the standard output: No space left on device\n"
    done = subprocess.run(["sh", "-c", f'"{sys.executable}" -m tesela identify "{files[0]}" "{files[1]}" >&-'], capture_output=True, timeout=120)
    assert done.returncode == IO and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_verb(tmp_path, number):
    """The verb waits for its input when the signal arrives."""
    fifo = tmp_path / "x.npy"
    os.mkfifo(fifo)
    started = subprocess.Popen([*COMMAND, "identify", fifo, fifo], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(fifo, "wb"):  # the verb reads
        began = time.monotonic()
        started.send_signal(number)
        out, message = started.communicate(timeout=60)
        assert time.monotonic() - began < 20
    assert started.returncode == INTERRUPTED and message.decode() == "tesela: interrupted\n" and not out
