# SPDX-License-Identifier: Apache-2.0
"""Every system call on a file fails once, or from some call on: no output is partly written, no temporary file remains,
and the message names the failure. Interrupted and short calls change nothing. `tests/faults` injects the failures."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset1
import pytest
from cli_program import DONE, INTERRUPTED, IO, LIMIT, PROGRAM, REPOSITORY, SANITIZED, tesela, tile_model

SHIM = REPOSITORY / "build" / "tests" / "libtesela_faults.so"
X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def folder(tmp_path) -> Path:
    """The input files of the cases, and an older output."""
    made = tmp_path / "below"
    made.mkdir()
    np.save(made / "x.npy", X)
    np.savez(made / "x.npz", x=X)
    tile_model(made / "m.onnx")
    x = ov.op.Parameter(ov.Type.f32, ov.PartialShape("?,?"))
    x.output(0).set_names({"x"})
    ov.save_model(ov.Model([ov.op.Result(ov.opset1.tile(x, np.array([2, 3])).output(0))], [x], "m"), made / "m.xml")
    gray = np.arange(48, dtype=np.uint8).reshape(6, 8, 1)
    np.save(made / "gray.npy", gray)
    assert tesela("resize", made / "gray.npy", made / "p.png", "--sizes", "6,8", "--axes", "0,1").returncode == DONE
    return made


# Arguments, and the output that an older file is replaced by.
CASES = {
    "model": (["run", "m.onnx", "--quiet", "-i", "x.npy"], "y.npy"),
    "IR": (["run", "m.xml", "--quiet", "-i", "x.npz"], "y.npz"),
    "picture": (["resize", "p.png", "--sizes", "3,4", "--axes", "0,1", "--quiet"], "y.png"),
}


def with_shim(**variables) -> dict[str, str]:
    """The environment with the library of faults and its variables."""
    preload = " ".join(filter(None, (os.environ.get("LD_PRELOAD"), str(SHIM))))
    return os.environ | {"LD_PRELOAD": preload} | {name: str(value) for name, value in variables.items()}


def run_case(name: str, folder: Path, fault: str = "") -> tuple[int, str, bool]:
    """Exit status, message, and whether a call failed."""
    words, output = CASES[name]
    words = [str(folder / word) if "." in word else word for word in words]
    target = ["-o", str(folder / output)] if words[0] == "run" else [str(folder / output)]
    words = words + target if words[0] == "run" else words[:2] + target + words[2:]
    mark = folder.parent / "mark"
    mark.unlink(missing_ok=True)
    done = tesela(*words, env=with_shim(TESELA_FAULT=fault, TESELA_FAULT_BELOW=folder, TESELA_FAULT_MARK=mark))
    return done.returncode, done.stderr.decode(), mark.exists()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


FAULTS = {  # a call, and its possible messages
    "read": [errno.EIO], "write": [errno.EIO, errno.ENOSPC, errno.EFBIG], "fsync": [errno.EIO, errno.ENOSPC],
    "close": [errno.EIO], "rename": [errno.EIO, errno.EROFS], "open": [errno.EIO, errno.EMFILE, errno.ENOMEM],
    "fchmod": [errno.EPERM],
}


def sweep(name: str, folder: Path, call: str, what: str):
    """Runs the case with the first, second, ... of these calls failing, until no call is left."""
    for k in range(1, 200):
        before = contents(folder)
        status, message, happened = run_case(name, folder, f"{call},{k},{what}")
        if not happened:
            assert status == DONE and k > 1, (call, k, message)
            return
        yield k, status, message, before, contents(folder)
    raise AssertionError("no end")


@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from then on"])
@pytest.mark.parametrize("call", FAULTS)
@pytest.mark.parametrize("name", CASES)
def test_failing_calls(name, call, lasting, folder):
    output = CASES[name][1]
    status, message, _ = run_case(name, folder)
    assert status == DONE, message
    new = (folder / output).read_bytes()
    for number in FAULTS[call]:
        (folder / output).write_bytes(b"older")
        for k, status, message, before, after in sweep(name, folder, call, f"{number}{lasting}"):
            where = (call, number, k, message)
            # Failures without effect: closing an input, opening a folder to sync it, detecting a format, which then follows the name.
            if status == DONE:
                assert call in ("close", "open", "read") and after[output] == new, where
            else:
                assert status == (LIMIT if number == errno.ENOMEM else IO), where
                assert message.startswith("tesela: ") and message.count("\n") == 1, where
                assert os.strerror(number) in message or number == errno.ENOMEM, where
                # The folder is synced after the file has its name, and the message says which of both stands.
                is_new = call == "fsync" and "is written, but its folder could not be synced" in message
                assert is_new or "cannot" in message or "no memory" in message, where
                assert after[output] == (new if is_new else b"older"), where
            assert {**after, output: b""} == {**before, output: b""}, where
            (folder / output).write_bytes(b"older")


@pytest.mark.parametrize("call, what", [("read", "short"), ("read", str(errno.EINTR)), ("write", "short"),
                                        ("write", str(errno.EINTR)), ("read", "short+"), ("write", "short+")])
@pytest.mark.parametrize("name", CASES)
def test_short_and_interrupted_calls_change_nothing(name, call, what, folder):
    output = CASES[name][1]
    assert run_case(name, folder)[0] == DONE
    expected = contents(folder)
    times = 0
    for k, status, message, _, after in sweep(name, folder, call, what):
        times += 1
        assert status == DONE and after == expected, (k, message)
        (folder / output).write_bytes(b"older")
    assert times > 0


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINVAL, errno.ENOSYS])
def test_data_that_cannot_be_written_back(folder, number):
    """A large file is written back in parts; a lost part is an error, and a file system without the call is none."""
    output = folder / "large.npy"
    output.write_bytes(b"older")
    for k in (1, 2, 8):
        mark = folder.parent / "mark"
        done = tesela("fill", output, "--shape", "20000000", "--dtype", "uint8", "--quiet",
                      env=with_shim(TESELA_FAULT=f"sync_file_range,{k},{number}", TESELA_FAULT_BELOW=folder, TESELA_FAULT_MARK=mark))
        assert mark.exists()
        if number in (errno.EINVAL, errno.ENOSYS):
            assert done.returncode == DONE and output.stat().st_size == 20_000_128
        else:
            assert done.returncode == IO and os.strerror(number) in done.stderr.decode()
            assert output.read_bytes() == b"older"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_file_that_cannot_be_mapped(folder):
    constants = folder / "m.bin"
    constants.write_bytes(constants.read_bytes() + bytes(1))
    os.truncate(constants, (64 << 20) + 1)
    for k, status, message, before, after in sweep("IR", folder, "mmap", str(errno.ENODEV)):
        assert status == IO and "cannot map" in message and os.strerror(errno.ENODEV) in message, (k, message)
        assert before == after


def test_shim_without_faults_changes_nothing(folder):
    assert SANITIZED or run_case("model", folder) == (DONE, "", False)


def large_resize(folder: Path, shape: tuple[int, ...]) -> tuple[list, bytes]:
    """A command for y.npy that needs the number of threads as its last word, and the file's bytes."""
    x = folder / "large.npy"
    np.save(x, np.arange(np.prod(shape), dtype=np.float32).reshape(shape))
    words = ["resize", x, folder / "y.npy", "--scales", "1,2,2", "--quiet", "--threads"]
    assert tesela(*words, "1").returncode == DONE
    return words, (folder / "y.npy").read_bytes()


@pytest.mark.parametrize("threads", range(8))
def test_threads_that_cannot_be_made(threads, folder):
    """As under a limit on threads, on a machine of many cores: fewer work."""
    words, expected = large_resize(folder, (3, 1000, 1000))
    environment = with_shim(TESELA_FAULT_CORES=8, TESELA_FAULT_THREADS=threads)
    for wanted in ("0", "3", "8", "100"):
        done = tesela(*words, wanted, env=environment)
        assert (done.returncode, done.stderr) == (DONE, b"")
        assert (folder / "y.npy").read_bytes() == expected


@pytest.mark.parametrize("k", [1, 2])
def test_a_thread_that_cannot_be_made(k, folder):
    """The trial for threads may succeed, and oneTBB's own thread fail: the calling thread does the work."""
    words, expected = large_resize(folder, (3, 250, 1000))
    mark = folder.parent / "mark"
    environment = with_shim(TESELA_FAULT=f"pthread_create,{k},{errno.EAGAIN}", TESELA_FAULT_CORES=2, TESELA_FAULT_MARK=mark)
    done = tesela(*words, "2", env=environment)
    assert mark.exists()
    assert (done.returncode, done.stderr) == (DONE, b"")
    assert (folder / "y.npy").read_bytes() == expected


def signal_a_worker(process: int):
    """By tgkill, which no module of Python offers for another process."""
    workers = [int(task.name) for task in Path(f"/proc/{process}/task").iterdir() if int(task.name) != process]
    if ctypes.CDLL(None).syscall(234, process, workers[0] if workers else process, signal.SIGTERM) != 0:  # SYS_tgkill of x86-64
        raise OSError("tgkill failed")


def test_a_signal_on_another_thread_while_a_file_is_opened(folder):
    words, new = large_resize(folder, (3, 250, 1000))
    (folder / "y.npy").write_bytes(b"older")
    names = contents(folder).keys()
    mark = folder.parent / "mark"
    for k in range(1, 20):
        mark.unlink(missing_ok=True)
        environment = with_shim(TESELA_FAULT=f"open,{k},slow", TESELA_FAULT_CORES=2, TESELA_FAULT_BELOW=folder, TESELA_FAULT_MARK=mark)
        with subprocess.Popen([PROGRAM, *map(str, words), "2"], env=environment, stderr=subprocess.PIPE) as process:
            while not mark.exists() and process.poll() is None:
                time.sleep(0.01)
            if not mark.exists():
                break
            signal_a_worker(process.pid)
            message = process.communicate()[1]
        assert (process.returncode, message) == (INTERRUPTED, b"tesela: interrupted\n")
        assert contents(folder).keys() == names and (folder / "y.npy").read_bytes() in (b"older", new)
    assert k > 3  # the input, the temporary file, the folder
