# SPDX-License-Identifier: Apache-2.0
"""The routes by which a bad input reaches Tesela: the C interface, the command line and the Python package. Each gives what
it was told, as (kind, words) of every fault, and what it cost."""

from __future__ import annotations

import ctypes as c
import json
import subprocess
import sys
import time
from dataclasses import astuple, dataclass
from pathlib import Path

import library
import numpy as np
import tesela
from onnx import helper

PROGRAM = Path(library.LIBRARY._name).with_name("tesela")
PREFIX = "tesela: "
JSON = 1  # TESELA_TEXT_JSON


@dataclass
class Outcome:
    """words: of the call that failed, or None. findings: of a model's check, (severity, kind, words). seconds: of processor
    time. mebibytes: the peak beyond the start."""

    kind: str | None
    words: str | None
    findings: list[tuple[str, str, str]]
    seconds: float
    mebibytes: float = 0

    def told(self) -> tuple:
        return self.kind, self.words, self.findings


# --- What is measured -----------------------------------------------------------------------------


def peak_kibibytes() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])


def measured(call) -> Outcome:
    """call() in this process: gives findings, or raises an error with .kind."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is now the present use
    before, begin = peak_kibibytes(), time.process_time()
    kind = words = None
    findings = []
    try:
        findings = call()
    except library.TeselaError as error:
        kind, words = error.kind, str(error)
    seconds = time.process_time() - begin
    return Outcome(kind, words, findings, seconds, (peak_kibibytes() - before) / 1024)


def measured_apart(route: str, paths: list[Path]) -> list[Outcome]:
    """Calls c_check, c_read or python_check in a process of its own: a heap that others have used grows by other amounts."""
    command = [sys.executable, __file__, route]
    done = subprocess.run(command, input=json.dumps([str(path) for path in paths]), capture_output=True, text=True, check=True)
    return [Outcome(kind, words, [tuple(one) for one in findings], *costs)
            for kind, words, findings, *costs in json.loads(done.stdout)]


def findings_of(document: dict) -> list[tuple[str, str, str]]:
    return [(one["severity"], one["code"], one["text"]) for one in document["findings"]]


# --- The C interface ------------------------------------------------------------------------------


def c_check(path: Path) -> list[tuple[str, str, str]]:
    model, blob, faults = c.c_void_p(), c.c_void_p(), c.c_size_t()
    library.call("tesela_model_load", bytes(path), None, c.byref(model))
    try:
        library.call("tesela_model_check", model, c.c_int(JSON), c.byref(blob), c.byref(faults))
        data = library.LIBRARY.tesela_blob_data
        data.restype = c.c_char_p
        text = data(blob)
        library.LIBRARY.tesela_blob_destroy(blob)
    finally:
        library.LIBRARY.tesela_model_destroy(model)
    return findings_of(json.loads(text))


def c_read(path: Path) -> list:
    value = c.c_void_p()
    library.call("tesela_value_read", bytes(path), None, c.byref(value), None)
    library.LIBRARY.tesela_value_destroy(value)
    return []


# --- The Python package ---------------------------------------------------------------------------

KINDS = {
    getattr(tesela, name): kind
    for kind, name in (line.split(":") for line in (
        "usage:UsageError value:InvalidValueError attribute:AttributeValueError count:CountError type:ElementTypeError "
        "rank:RankError shape:ShapeError parse:ParseError truncated:TruncatedError path:PathError "
        "unsupported:UnsupportedError limit:LimitError no_memory:NoMemoryError io:IoError").split())
}


def python_check(path: Path) -> list[tuple[str, str, str]]:
    try:
        report = tesela.check(path)
    except tesela.Error as error:
        raise library.TeselaError(KINDS[type(error)], str(error)) from error
    return [(one.severity, one.code, one.text) for one in report.findings]


# --- The command line -----------------------------------------------------------------------------

# Runs each command and prints what it cost. It is small, because the memory of a new process begins with its parent's.
LAUNCHER = """
import json, os, sys
for words in json.load(sys.stdin):
    out, err = os.memfd_create("out"), os.memfd_create("err")
    child = os.posix_spawn(words[0], words, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)])
    _, status, usage = os.wait4(child, 0)
    text = [os.pread(file, 1 << 26, 0).decode(errors="replace") for file in (out, err)]
    print(json.dumps([os.waitstatus_to_exitcode(status), *text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
    os.close(out), os.close(err)
"""


def launched(commands: list[list]) -> list[list]:
    """Of each command: exit status, standard output, standard error, seconds of processor time, KiB."""
    words = json.dumps([[str(PROGRAM), *map(str, command)] for command in commands])
    done = subprocess.run([sys.executable, "-S", "-I", "-c", LAUNCHER], input=words, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def cli_outcomes(commands: list[list]) -> list[Outcome]:
    """The kind is not known, only its exit status; a check prints JSON."""
    (_, _, _, _, idle), *results = launched([["--version"], *commands])
    outcomes = []
    for status, out, err, seconds, kibibytes in results:
        assert err == "" or (err.startswith(PREFIX) and err.endswith("\n") and err.count("\n") == 1), err
        findings = findings_of(json.loads(out)) if out else []
        outcomes.append(Outcome(str(status), err[len(PREFIX):-1] or None, findings, seconds, (kibibytes - idle) / 1024))
    return outcomes


def exit_status(kind: str) -> int:
    codes = {library.LIBRARY.tesela_status_name(code): code for code in range(17)}
    return library.LIBRARY.tesela_status_exit_code(codes[kind.encode()])


# --- An operator row as a model -------------------------------------------------------------------


def attribute(name: str, value) -> object:
    """As library.Op takes them; an empty list is one of integers."""
    if isinstance(value, tuple):
        return helper.make_attribute(name, tensor("value", *value))
    if isinstance(value, np.ndarray):
        return helper.make_attribute(name, value.tolist(), attr_type=helper.AttributeProto.FLOATS)
    if isinstance(value, (list, range)):
        return helper.make_attribute(name, list(value), attr_type=helper.AttributeProto.INTS)
    return helper.make_attribute(name, value)


def tensor(name: str, array: np.ndarray, dtype: str) -> object:
    code = library.dtype_code(dtype)
    if dtype == "string":
        return helper.make_tensor(name, code, array.shape, array.reshape(-1).tolist())
    bits = library.PACKED_BITS.get(dtype)
    raw = library.pack(array, bits) if bits else np.ascontiguousarray(array)
    return helper.make_tensor(name, code, array.shape, raw.tobytes(), raw=True)


def model_of(op: str, inputs: list, attributes: dict) -> bytes:
    """A model of one node 'up1'. inputs: tensors (array, dtype), which become initializers; None; else types without data."""
    type_, _, version = op.partition("-")
    names, ends, initializers = [], [], []
    for index, entry in enumerate(inputs):
        names.append("" if entry is None else f"i{index}")
        if isinstance(entry, tuple):
            initializers.append(tensor(names[-1], *entry))
        elif entry is not None:
            ends.append(helper.make_tensor_value_info(names[-1], library.dtype_code(entry.dtype), entry.shape))
    node = helper.make_node(type_, names, ["y"], "up1")
    node.attribute.extend(attribute(*pair) for pair in attributes.items())
    end = helper.make_empty_tensor_value_info("y")
    graph = helper.make_graph([node], "g", ends, [end], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", int(version))], ir_version=10).SerializeToString()


if __name__ == "__main__":
    route = {"c_check": c_check, "c_read": c_read, "python_check": python_check}[sys.argv[1]]
    print(json.dumps([astuple(measured(lambda path=path: route(Path(path)))) for path in json.load(sys.stdin)]))
