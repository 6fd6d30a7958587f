# SPDX-License-Identifier: Apache-2.0
"""Writing outputs to devices and directories, with process limits and signals. Files are written atomically."""

import array
import contextlib
import fcntl
import os
import pty
import resource
import shutil
import signal
import subprocess
import tempfile
import termios
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from cli_program import BAD, DONE, INTERRUPTED, IO, LIMIT, PROGRAM, SANITIZED, fail, save_model, save_npy, succeed, tesela, tile_model
from onnx import TensorProto, helper


@pytest.fixture
def folder(tmp_path):
    """A separate folder, to detect files that remain."""
    path = tmp_path / "out"
    path.mkdir()
    return path


@pytest.fixture
def x(tmp_path):
    return save_npy(tmp_path / "x.npy", np.arange(6).reshape(2, 3))


def names(folder) -> list:
    return sorted(path.name for path in folder.iterdir())


# ---- Paths ----------------------------------------------------------------------------------------------------------


def test_a_full_device():
    assert "No space left" in fail(IO, "fill", "/dev/full", "--shape", "9", "--format", "npy", "-q")


@pytest.mark.parametrize("words", [["ops"], ["--help"], ["--version"], ["ops", "--json"],
                                   ["fill", "-", "--shape", "2", "--format", "npy", "-q"]])
def test_a_full_standard_output(words):
    with open("/dev/full", "wb") as full:
        done = tesela(*words, stdout=full)
    assert done.returncode == IO and b"No space left" in done.stderr


def test_broken_pipe_on_standard_output():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        done = tesela("ops", stdout=pipe)
    assert done.returncode == IO and b"Broken pipe" in done.stderr


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_standard_streams_that_are_closed(folder, x, closed):
    """A file must not get the descriptor of a closed stream, or messages would be written into it."""
    done = subprocess.run([PROGRAM, "tile", x, folder / "y.npy", "--repeats", "1,2"], preexec_fn=lambda: os.close(closed),
                          capture_output=True)
    assert done.returncode == DONE
    np.testing.assert_array_equal(np.load(folder / "y.npy"), np.tile(np.load(x), (1, 2)))
    if closed == 1:
        assert subprocess.run([PROGRAM, "ops"], preexec_fn=lambda: os.close(1), capture_output=True).returncode == IO


@pytest.mark.parametrize("name, status", [
    ("", BAD),                       # the folder itself
    ("sub", BAD),                    # a folder in it
    ("none/y.npy", IO),
    ("file/y.npy", IO),
    ("loop/y.npy", BAD),
    ("dangling.npy", BAD),
    ("y" * 252 + ".npy", BAD),
    ("/".join(["d" * 200] * 30) + ".npy", BAD),
])
def test_paths_that_cannot_be_written(folder, x, name, status):
    (folder / "sub").mkdir()
    (folder / "file").write_text("")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling.npy").symlink_to("nowhere.npy")
    before = names(folder)
    fail(status, "tile", x, folder / name, "--repeats", "1,1", "--format", "npy")
    # It is rejected before any work, even before a missing input is opened.
    fail(status, "tile", folder / "missing.npy", folder / name, "--repeats", "1,1", "--format", "npy")
    assert names(folder) == before


def test_an_empty_name(x):
    fail(BAD, "tile", x, "", "--repeats", "1,1", "--format", "npy")


@pytest.fixture
def reachable():
    """A folder with the program and its library that every user can access."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        os.chmod(name, 0o755)
        for path in (Path(PROGRAM), *Path(PROGRAM).parent.glob("libtesela.so.?.?")):
            shutil.copy(path, name)
        yield Path(name)


@pytest.mark.parametrize("what", ["folder", "file"])
def test_without_permission(what, reachable):
    """An unprivileged user, because permissions do not apply to root."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        old = save_npy(folder / "y.npy", [1])
        os.chmod(old, 0o444)
        os.chmod(folder, 0o555 if what == "folder" else 0o777)
        user = {} if os.geteuid() else {"user": 65534, "group": 65534}
        target = folder / ("new.npy" if what == "folder" else "y.npy")
        assert "Permission denied" in fail(IO, "fill", target, "--shape", "2", program=reachable / "tesela", **user)
        assert names(folder) == ["y.npy"] and np.load(old) == [1]
        os.chmod(folder, 0o777)


@pytest.mark.parametrize("alias", ["same", "link", "hard"])
def test_an_output_that_is_an_input(tmp_path, x, alias):
    path = {"same": x, "link": tmp_path / "link.npy", "hard": tmp_path / "hard.npy"}[alias]
    if alias == "link":
        path.symlink_to(x)
    if alias == "hard":
        path.hardlink_to(x)
    before = x.read_bytes()
    assert "is also an input file" in fail(BAD, "tile", x, path, "--repeats", "1,2")
    model = tile_model(tmp_path / "m.onnx", [1, 1], TensorProto.INT64)
    fail(BAD, "run", model, "-i", x, "-o", path)
    assert x.read_bytes() == before


def test_an_output_that_is_the_model(tmp_path, x):
    model = tile_model(tmp_path / "m.npy", [1, 1], TensorProto.INT64)
    before = model.read_bytes()
    fail(BAD, "run", model, "-i", x, "-o", model)
    assert model.read_bytes() == before


def test_an_older_file_is_replaced_and_keeps_its_mode(folder, x):
    y = folder / "y.npy"
    y.write_text("old")
    y.chmod(0o640)
    succeed("tile", x, y, "--repeats", "1,1")
    np.testing.assert_array_equal(np.load(y), np.load(x))
    assert y.stat().st_mode & 0o777 == 0o640 and names(folder) == ["y.npy"]


def test_output_through_a_symbolic_link(folder, x):
    (folder / "real.npy").write_text("old")
    (folder / "link.npy").symlink_to("real.npy")
    succeed("tile", x, folder / "link.npy", "--repeats", "1,1")
    assert (folder / "link.npy").is_symlink()
    np.testing.assert_array_equal(np.load(folder / "real.npy"), np.load(x))


def test_pipes_with_names(folder, x):
    os.mkfifo(folder / "in")
    os.mkfifo(folder / "out")
    got = []
    threads = [threading.Thread(target=lambda: (folder / "in").write_bytes(x.read_bytes())),
               threading.Thread(target=lambda: got.append((folder / "out").read_bytes()))]
    for thread in threads:
        thread.start()
    succeed("tile", folder / "in", folder / "out", "--repeats", "1,1", "--format", "npy")
    for thread in threads:
        thread.join()
    assert got[0] == x.read_bytes() and (folder / "out").is_fifo()


def test_standard_output_by_name(x):
    for name in ("/dev/stdout", "/dev/fd/1"):
        assert tesela("tile", x, name, "--repeats", "1,1", "--format", "npy").stdout == x.read_bytes()


# ---- Limits of the process ------------------------------------------------------------------------------------------


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


def test_a_file_over_the_limit_of_the_process(folder):
    old = save_npy(folder / "y.npy", [1])
    before = old.read_bytes()
    message = fail(IO, "fill", old, "--shape", "100000", "-q", preexec_fn=limited(resource.RLIMIT_FSIZE, 4096))
    assert "File too large" in message
    assert names(folder) == ["y.npy"] and old.read_bytes() == before


@pytest.mark.skipif(SANITIZED, reason="AddressSanitizer needs more address space than any limit leaves")
def test_out_of_memory(folder):
    message = fail(LIMIT, "fill", folder / "y.npy", "--shape", "500000000", "-q",
                   preexec_fn=limited(resource.RLIMIT_AS, 1 << 30))
    assert "memory" in message and names(folder) == []


def test_few_descriptors_and_a_small_stack(folder, x):
    for limit in (limited(resource.RLIMIT_NOFILE, 6), limited(resource.RLIMIT_STACK, 256 << 10)):
        assert tesela("tile", x, folder / "y.npy", "--repeats", "1,2", preexec_fn=limit).returncode == DONE


# ---- Signals --------------------------------------------------------------------------------------------------------


def start(*words, action=signal.SIG_DFL, stderr=subprocess.PIPE, **options):
    """It handles interrupts even if this process, a background job of a shell, ignores them."""
    return subprocess.Popen([PROGRAM, *map(str, words)], stderr=stderr,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, action), **options)


def end(process, number) -> str:
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert b"%" not in errors
    assert process.returncode == INTERRUPTED, errors
    return errors.decode().splitlines()[-1]


@pytest.fixture(scope="module")
def long_model(tmp_path_factory):
    """Thousands of nodes of a few milliseconds each."""
    nodes, name = [], "x"
    for i in range(4000):
        nodes.append(helper.make_node("Resize", [name, "", "", f"s{i % 2}"], [f"h{i}"], mode="cubic"))
        name = f"h{i}"
    nodes.append(helper.make_node("Identity", [name], ["y"]))
    return save_model(tmp_path_factory.mktemp("long") / "long.onnx", nodes, {"x": (TensorProto.FLOAT, [2000, 2000])},
                      {"y": (TensorProto.FLOAT, [None, None])},
                      initializers={"s0": np.array([2001, 2001]), "s1": np.array([2000, 2000])})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_during_a_run_leaves_no_file(folder, tmp_path, long_model, number):
    x = save_npy(tmp_path / "x.npy", np.zeros((2000, 2000), dtype=np.float32))
    process = start("run", long_model, "-i", x, "-o", folder / "y.npy")
    assert process.stderr.read(6) == b"Resize"  # it is at work
    assert end(process, number).startswith("tesela: ")
    assert names(folder) == []


def test_no_process_remains_after_a_signal(folder):
    """The child that frees the pages of the file ends, and holds no pipe meanwhile."""
    process = start("fill", folder / "y.npy", "--shape", "2000000000", "--dtype", "uint8", start_new_session=True)
    until = time.monotonic() + 60
    while not any(path.stat().st_size > 50e6 for path in folder.iterdir()):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.01)
    assert end(process, signal.SIGINT) == "tesela: interrupted"
    assert names(folder) == []
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(process.pid, 0)
            time.sleep(0.01)
        pytest.fail("a process of the command is still there")


def test_progress_is_shown_only_on_a_terminal(folder, tmp_path, long_model):
    x = save_npy(tmp_path / "x.npy", np.zeros((2000, 2000), dtype=np.float32))
    ours, terminal = pty.openpty()
    process = start("run", long_model, "-i", x, stderr=terminal)
    os.close(terminal)
    said = b""
    while b" % " not in said:
        said += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):  # of a closed terminal
        while os.read(ours, 1000):
            pass
    assert process.wait(timeout=60) == INTERRUPTED
    os.close(ours)


def feed(process, some: bytes) -> None:
    """Returns when the process has read the input and is working."""
    process.stdin.write(some)
    process.stdin.flush()
    left = array.array("i", [len(some)])
    until = time.monotonic() + 60
    while left[0] and time.monotonic() < until:
        time.sleep(0.01)
        fcntl.ioctl(process.stdin, termios.FIONREAD, left)
    assert not left[0]
    time.sleep(0.2)  # it waits for more input


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_reading_a_pipe(folder, number):
    process = start("tile", "-", folder / "y.npy", "--repeats", "2", stdin=subprocess.PIPE)
    feed(process, b"\x93NUMPY")
    process.send_signal(number)
    assert process.wait(timeout=60) == INTERRUPTED
    assert process.stderr.read() == b"tesela: interrupted\n"
    process.stdin.close()
    process.stderr.close()
    assert names(folder) == []


def processor_seconds(pid: int) -> float:
    """What a running process has used. Unlike time on a clock it does not grow while other processes run."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, after_name[11:13])) / os.sysconf("SC_CLK_TCK")


def handles(pid: int, number: int) -> bool:
    caught = Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> (number - 1) & 1)


def end_within_a_moment(process, *numbers) -> None:
    """The program answers within 0.1 s of work; here a slow machine has more."""
    before = processor_seconds(process.pid)
    for number in numbers:
        process.send_signal(number)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == INTERRUPTED
    assert usage.ru_utime + usage.ru_stime - before < 0.8
    assert process.stderr.read() == b"tesela: interrupted\n"
    process.stderr.close()
    process.stdout.close()


@pytest.fixture(scope="module")
def wide_model(tmp_path_factory):
    """Takes seconds to be read, and more to be checked."""
    nodes = [helper.make_node("Tile", ["x", "r"], [f"y{i}"], name=f"node number {i}") for i in range(400_000)]
    return save_model(tmp_path_factory.mktemp("wide") / "wide.onnx", nodes, {"x": (1, ["N"]), "r": (7, [1])}, {})


@pytest.mark.parametrize("verb", ["check", "inspect", "run"])
@pytest.mark.parametrize("wait", [0.1, 0.6])
def test_a_signal_while_a_model_is_read_or_checked(wide_model, verb, wait):
    process = start(verb, wide_model, stdout=subprocess.PIPE)
    while not handles(process.pid, signal.SIGINT):
        time.sleep(0.005)
    time.sleep(wait)
    end_within_a_moment(process, signal.SIGINT)


@pytest.mark.parametrize("numbers", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT, signal.SIGTERM] * 5])
def test_a_signal_while_a_large_file_is_written(folder, numbers):
    process = start("fill", folder / "y.npy", "--shape", "2000000000", "--dtype", "uint8", "-q", stdout=subprocess.PIPE)
    while not any(path.stat().st_size > 100_000_000 for path in folder.iterdir()):
        assert process.poll() is None
        time.sleep(0.005)
    assert names(folder) != ["y.npy"]
    end_within_a_moment(process, *numbers)
    assert names(folder) == []


def test_background_job_ignores_interrupts(folder, x):
    """A shell without job control starts background jobs with interrupts ignored, because those from the keyboard are not for them."""
    process = start("tile", "-", folder / "y.npy", "--repeats", "1,2", action=signal.SIG_IGN, stdin=subprocess.PIPE)
    feed(process, x.read_bytes()[:6])
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(x.read_bytes()[6:], timeout=60)
    assert process.returncode == DONE, errors
    np.testing.assert_array_equal(np.load(folder / "y.npy"), np.tile(np.load(x), (1, 2)))


def test_no_temporary_file_is_left_after_success(folder):
    for name in ("y.npy", "y.npz", "y.pb", "y.png", "y.jpg"):
        succeed("fill", folder / name, "--shape", "4,4,3", "--dtype", "uint8")
    assert names(folder) == ["y.jpg", "y.npy", "y.npz", "y.pb", "y.png"]
