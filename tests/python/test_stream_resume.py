# SPDX-License-Identifier: Apache-2.0
"""Streams that are interrupted, and continue: kills, damaged journals, full disks."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import tesela
from cli_program import INTERRUPTED, IO
from streams import assert_equal, left, read, remove, save, slice_of
from tesela import _streaming
from tesela._streaming import pipeline

CALL = dict(scales=(1.5, 0.75), mode="cubic", antialias=True)
MEMORY = 8_000_000
# Every region is kept at once, so that a kill finds a journal of many lines.
PROGRAM = """
import sys, tesela
from tesela._streaming import pipeline
pipeline._KEPT_BYTES = 1
compression = "zlib" if sys.argv[2].endswith(".zlib.tif") else None
tesela.stream("resize", sys.argv[1], sys.argv[2], memory=8_000_000, scales=(1.5, 0.75), mode="cubic", antialias=True, compression=compression)
"""


def started(source: Path, target: Path) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, source, target], stderr=subprocess.PIPE)


def lines_of(journal: Path) -> int:
    try:
        return journal.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def killed(source: Path, target: Path, lines: int) -> bool:
    """Kills a stream when its journal has so many lines more; False if it was finished before."""
    journal = target.with_name(f"{target.name}.journal")
    lines += lines_of(journal)
    with started(source, target) as process:
        while process.poll() is None and lines_of(journal) < lines:
            time.sleep(0.0005)
        process.kill()
    assert process.returncode in (0, -signal.SIGKILL), process.stderr
    return process.returncode != 0


def interrupt(source: Path, target: Path, monkeypatch, after=3, **options) -> None:
    """A stream that ends with so many regions written."""
    monkeypatch.setattr(pipeline, "_KEPT_BYTES", 1)
    kept = pipeline.Pipeline._write

    def write(self, done, keep):
        def stop(number):
            keep(number)
            if number == after:
                raise OSError(5, "Input/output error")

        kept(self, done, stop)

    with monkeypatch.context() as patched, pytest.raises(tesela.IoError, match="Input/output error; the same call continues"):
        patched.setattr(pipeline.Pipeline, "_write", write)
        tesela.stream("resize", source, target, memory=MEMORY, **options, **CALL)


def resumed(source: Path, target: Path) -> tuple[int, int]:
    """(regions, those of before) of the call that continues."""
    done = _streaming.run(lambda opened: _streaming.operation_of("resize", opened, CALL), source, target, _streaming.Options(memory=MEMORY))
    return done.regions, done.resumed


@pytest.fixture(scope="module")
def x():
    return np.random.default_rng(3).random((1800, 1100), np.float32)


@pytest.fixture
def source(tmp_path, x):
    return save(tmp_path / "x.npy", x)


KILLED = [("y.npy", {}), ("y.zlib.tif", {}), ("y.zarr", dict(chunks=(64, 128))), ("y.tif", {})]


def kills_of_one_output(source: Path, target: Path, draw: random.Random, whole: np.ndarray) -> int:
    """Kills a stream at random points, and continues it, until it is finished; its bits are compared."""
    kills = 0
    while killed(source, target, draw.randint(0, 3)):
        kills += 1
        if target.exists():  # killed after the output got its name
            assert_equal(read(target), whole)
            if not left(target):
                break
    assert_equal(read(target), whole)
    assert not left(target)
    return kills


@pytest.mark.parametrize("name, options", slice_of(KILLED, 2))
def test_kills_at_random_points(name, options, tmp_path, x):
    draw = random.Random(7)
    source = save(tmp_path / ("x.zarr" if options else "x.npy"), x, **options)
    target, whole = tmp_path / name, tesela.resize(x, **CALL)
    for _ in range(8):  # on a busy machine the journal is looked at rarely, and a kill comes late
        if kills_of_one_output(source, target, draw, whole) >= 3:
            return
        remove(target)
    pytest.fail("of 8 streams none was killed three times")


def test_work_is_not_done_twice(source, tmp_path, x, monkeypatch):
    for name in ("y.npy", "y.zarr", "y.tif"):
        target = tmp_path / name
        interrupt(source, target, monkeypatch, after=2)
        assert left(target) == [".journal", ".partial"] and not target.exists()
        regions, before = resumed(source, target)
        assert before == 2 < regions
        assert_equal(read(target), tesela.resize(x, **CALL))


def test_compressed_tiles_lie_where_they_would_without_an_interruption(source, tmp_path, monkeypatch):
    options = dict(memory=MEMORY, compression="zlib", **CALL)
    tesela.stream("resize", source, tmp_path / "whole.tif", **options)
    for after in (0, 2):  # before the first region is kept, and later
        target = tmp_path / "y.tif"
        with monkeypatch.context() as patched, pytest.raises(tesela.IoError):
            if after:
                interrupt(source, target, patched, after=after, compression="zlib")
                raise tesela.IoError
            patched.setattr(pipeline.Pipeline, "_write", fail)
            tesela.stream("resize", source, target, **options)
        with open(f"{target}.partial", "ab") as file:
            file.write(b"tiles of a region that was not kept")
        tesela.stream("resize", source, target, **options)
        assert target.read_bytes() == (tmp_path / "whole.tif").read_bytes()
        interrupt(source, target, monkeypatch, after=2, compression="zlib")
        os.truncate(f"{target}.partial", 5000)
        with pytest.raises(tesela.Error, match="y.tif.partial"):
            tesela.stream("resize", source, target, **options)
        remove(target)


def fail(self, done, keep):
    raise OSError(5, "Input/output error")


def test_another_call_is_refused(source, tmp_path, x, monkeypatch):
    target = tmp_path / "y.npy"
    interrupt(source, target, monkeypatch)
    with pytest.raises(tesela.UsageError, match=r"y.npy.journal' belongs to another call; to start again, delete it and '.*y.npy.partial'"):
        tesela.stream("resize", source, target, scales=(1.5, 0.75), mode="linear")
    with pytest.raises(tesela.LimitError, match="memory is 1000; the interrupted call was planned for"):
        tesela.stream("resize", source, target, memory=1000, **CALL)
    os.utime(source, (1, 1))
    with pytest.raises(tesela.UsageError, match="belongs to another input, or one that changed"):
        tesela.stream("resize", source, target, **CALL)
    other = save(tmp_path / "other.npy", x)
    with pytest.raises(tesela.UsageError, match="another input"):
        tesela.stream("resize", other, target, **CALL)


def test_changed_chunks_of_the_input_are_noticed(tmp_path, x, monkeypatch):
    source, target = save(tmp_path / "x.zarr", x, chunks=(300, 300)), tmp_path / "y.npy"
    chunk = source / "c" / "5" / "2"
    whole = chunk.read_bytes()
    interrupt(source, target, monkeypatch)
    for change in (lambda: chunk.write_bytes(whole), chunk.unlink, lambda: chunk.with_name("9").write_bytes(b"")):
        times = chunk.stat().st_atime_ns, chunk.stat().st_mtime_ns
        change()
        with pytest.raises(tesela.UsageError, match="y.npy.journal' belongs to another input, or one that changed; to start again, delete it and"):
            tesela.stream("resize", source, target, memory=MEMORY, **CALL)
        chunk.with_name("9").unlink(missing_ok=True)
        chunk.write_bytes(whole)
        os.utime(chunk, ns=times)
    assert resumed(source, target)[1] == 3
    assert_equal(read(target), tesela.resize(x, **CALL))


def test_damaged_journals(source, tmp_path, x, monkeypatch):
    target, journal = tmp_path / "y.npy", tmp_path / "y.npy.journal"
    interrupt(source, target, monkeypatch)
    whole = journal.read_bytes()
    begin = whole.index(b"\n") + 1
    for damaged in (b"", whole[:10], b"x" + whole[1:], whole[: begin - 1]):
        journal.write_bytes(damaged)
        with pytest.raises(tesela.ParseError, match="is damaged; to start again, delete it and"):
            tesela.stream("resize", source, target, memory=MEMORY, **CALL)
    # Damage in later lines costs the work that they speak of.
    for tail in (whole[:-1], whole + b"junk\n", whole[:begin] + b"0" + whole[begin + 1:]):
        journal.write_bytes(tail)
        interrupt(source, target, monkeypatch, after=4)
        lines = journal.read_bytes().splitlines()
        assert json.loads(lines[-1].partition(b" ")[2]) == {"done": 4}
    assert resumed(source, target)[1] == 4
    assert_equal(read(target), tesela.resize(x, **CALL))


def test_an_output_that_was_lost_or_cut(source, tmp_path, monkeypatch):
    target, partial = tmp_path / "y.npy", tmp_path / "y.npy.partial"
    interrupt(source, target, monkeypatch)
    os.truncate(partial, 100)
    with pytest.raises(tesela.TruncatedError, match="y.npy.partial' has 100 bytes; expected"):
        tesela.stream("resize", source, target, memory=MEMORY, **CALL)
    partial.unlink()
    with pytest.raises(tesela.PathError, match="y.npy.partial' is missing; to start again, delete '.*y.npy.journal'"):
        tesela.stream("resize", source, target, memory=MEMORY, **CALL)


def test_a_kill_between_the_name_and_the_journal(source, tmp_path, x, monkeypatch):
    target = tmp_path / "y.npy"
    monkeypatch.setattr(_streaming.Journal, "remove", lambda self: None)
    tesela.stream("resize", source, target, memory=MEMORY, **CALL)
    assert left(target) == [".journal"]
    monkeypatch.undo()
    regions, before = resumed(source, target)
    assert regions == before and not left(target)
    assert_equal(read(target), tesela.resize(x, **CALL))


def test_one_process_writes_an_output(source, tmp_path, monkeypatch):
    target = tmp_path / "y.npy"
    interrupt(source, target, monkeypatch)
    with open(f"{target}.journal") as held:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(tesela.UsageError, match="another process writes"):
            tesela.stream("resize", source, target, memory=MEMORY, **CALL)


def test_existing_outputs(source, tmp_path, x):
    save(tmp_path / "y.npy", np.zeros(3))
    tesela.stream("resize", source, tmp_path / "y.npy", memory=MEMORY, **CALL)  # as every writer of files does
    assert_equal(read(tmp_path / "y.npy"), tesela.resize(x, **CALL))
    save(tmp_path / "y.zarr", np.zeros(3))
    with pytest.raises(tesela.PathError, match="y.zarr' exists; delete it or name another one"):
        tesela.stream("resize", source, tmp_path / "y.zarr", memory=MEMORY, **CALL)
    assert not left(tmp_path / "y.zarr")


# --- Disks and signals -----------------------------------------------------------------------------


def limited(size: int):
    """No file may have more bytes: it fails as a full disk does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def command(*words, **options) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "tesela", *map(str, words)], capture_output=True, text=True, timeout=120, **options)


def test_a_full_disk(source, tmp_path, x):
    words = ["--scales", "1.5,0.75", "--mode", "cubic", "--antialias", "1", "--memory", MEMORY]
    # The space of a file is taken before the work begins.
    done = command("resize", source, tmp_path / "y.npy", *words, preexec_fn=limited(100_000))
    assert done.returncode == IO and "y.npy.partial': File too large" in done.stderr and done.stderr.count("\n") == 1, done
    assert not left(tmp_path / "y.npy")
    # A Zarr array grows; what is there stays, and the call continues.
    target = tmp_path / "y.zarr"
    done = command("resize", source, target, *words, preexec_fn=limited(30_000))
    assert done.returncode == IO and "File too large; the same call continues" in done.stderr, done
    assert left(target) == [".journal", ".partial"]
    done = command("resize", source, target, *words)
    assert done.returncode == 0 and not left(target), done
    assert_equal(read(target), tesela.resize(x, **CALL))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_continues(number, tmp_path):
    """The source is large enough to be found at work."""
    source, target = tmp_path / "x.npy", tmp_path / "y.npy"
    np.lib.format.open_memmap(source, "w+", np.uint8, (30_000, 2_000)).flush()
    words = ["resize", source, target, "--scales", "1.01,1", "--mode", "cubic", "--memory", "1500KiB"]
    with subprocess.Popen([sys.executable, "-m", "tesela", *map(str, words)], stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "y.npy.journal").exists() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(number)
        message = process.communicate(timeout=60)[1]
    assert process.returncode == INTERRUPTED and message == "tesela: interrupted\n", message
    assert left(target) == [".journal", ".partial"]
    done = command(*words)
    assert done.returncode == 0 and not left(target), done
    assert_equal(read(target), tesela.resize(np.load(source), scales=(1.01, 1), mode="cubic"))
