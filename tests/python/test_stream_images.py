# SPDX-License-Identifier: Apache-2.0
"""Streams of PNG and JPEG: the files that the program writes without, in bounded memory, and nothing left after a kill."""

from __future__ import annotations

import os
import resource
import signal
import struct
import subprocess
import sys
import time
import zlib

import cli_program
import numpy as np
import pytest
import tesela
from cli_program import BAD, DONE, LIMIT, PackageVerb, succeed
from PIL import Image
from streams import assert_equal, read, save, slice_of
from tesela._streaming import scratch
from tesela._streaming.sources import image as image_source

resize = PackageVerb("resize")


def picture(shape, dtype="uint8", seed=0):
    """Smooth, so that JPEG keeps it."""
    places = np.indices(shape).astype(float)
    return ((np.sin(places[0] / 9 + seed) + np.cos(places[1] / 7)) * 60 + 127 + places[-1]).astype(dtype)


def write(path, array):
    """By the program, without streaming."""
    succeed("resize", save(path.with_suffix(".npy"), array), path, "--axes=", "--sizes=", "--quiet")
    os.unlink(path.with_suffix(".npy"))
    return path


CASES = [("x.png", (90, 70, 3), "uint8"), ("x.png", (90, 70, 1), "uint16"), ("x.png", (91, 33, 4), "uint16"), ("x.png", (64, 80, 2), "uint8"),
         ("x.jpg", (90, 70, 3), "uint8"), ("x.jpeg", (75, 64, 1), "uint8")]


@pytest.mark.parametrize("name, shape, dtype", CASES)
def test_the_bytes_of_the_program(name, shape, dtype, tmp_path):
    source = write(tmp_path / name, picture(shape, dtype))
    whole, streamed = tmp_path / f"whole{source.suffix}", tmp_path / f"y{source.suffix}"
    succeed("resize", source, whole, "--sizes", "130,51", "--mode", "cubic", "--antialias", "1", "--quiet")
    tesela.stream("resize", source, streamed, sizes=(130, 51), mode="cubic", antialias=True, memory="100KB")
    assert streamed.read_bytes() == whole.read_bytes()
    assert sorted(os.listdir(tmp_path)) == sorted([name, whole.name, streamed.name])


def test_the_command_line(tmp_path):
    source = write(tmp_path / "x.png", picture((90, 70, 3)))
    words = ["--scales", "0.3,1.7", "--mode", "linear", "--quiet"]
    succeed("resize", source, tmp_path / "whole.jpg", *words)
    done = resize(source, tmp_path / "y.jpg", *words, "--memory", "100KB")
    assert done.returncode == DONE and not done.stderr, done
    assert (tmp_path / "y.jpg").read_bytes() == (tmp_path / "whole.jpg").read_bytes()


def test_images_and_other_formats(tmp_path):
    x = picture((90, 70, 3))
    source = write(tmp_path / "x.png", x)
    expected = tesela.resize(x, sizes=(40, 110), axes=(0, 1), mode="linear")
    for name in ("y.npy", "y.zarr", "y.tif"):
        tesela.stream("resize", source, tmp_path / name, sizes=(40, 110), mode="linear", memory="2MiB")
        assert_equal(read(tmp_path / name), expected)
        tesela.stream("tile", tmp_path / name, tmp_path / "z.png", repeats=(2, 1, 1), memory="2MiB")
        assert_equal(np.asarray(Image.open(tmp_path / "z.png")), np.tile(expected, (2, 1, 1)))
    tesela.stream("constant_of_shape", None, tmp_path / "flat.png", shape=(30, 20), value=np.uint16(513))
    assert_equal(np.asarray(Image.open(tmp_path / "flat.png")).astype(np.uint16), np.full((30, 20), np.uint16(513)))


def interlaced(x: np.ndarray) -> bytes:
    """A PNG of RGB by Adam7."""
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    rows = b"".join(b"\0" + row.tobytes() for top, left, down, right in passes for row in x[top::down, left::right] if row.size)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", x.shape[1], x.shape[0], 8, 2, 0, 0, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_interlaced_images_larger_than_a_band(tmp_path):
    """Each pass goes over the rows that the one before left in the file."""
    x = picture((1500, 500, 3))
    (tmp_path / "x.png").write_bytes(interlaced(x))
    assert_equal(np.asarray(Image.open(tmp_path / "x.png")), x)
    tesela.stream("tile", tmp_path / "x.png", tmp_path / "y.npy", repeats=(1, 1, 1), memory="1MiB")
    assert_equal(read(tmp_path / "y.npy"), x)


PEAK = """
import resource, sys, numpy as np, tesela
call = dict(mode="linear", antialias=True, memory="8MiB", num_threads=1)
tesela.stream("constant_of_shape", None, sys.argv[1] + "/small.png", shape=(9, 9, 3), value=np.uint8(9), memory="8MiB")
tesela.stream("resize", sys.argv[1] + "/small.png", sys.argv[2], sizes=(8, 8), **call)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tesela.stream("constant_of_shape", None, sys.argv[1] + "/x.png", shape=(8192, 2000, 3), value=np.uint8(9), memory="8MiB")
tesela.stream("resize", sys.argv[1] + "/x.png", sys.argv[2], scales=(0.9, 1), **call)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("name", slice_of(["y.png", "y.jpg"], 1))
def test_the_peak_is_within_the_memory(name, tmp_path):
    """47 MiB written, read and written again through 8 MiB."""
    done = subprocess.run([sys.executable, "-c", PEAK, tmp_path, tmp_path / name], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    assert int(done.stdout) < 12 << 10  # KiB: the memory, a band of rows, and what the allocator keeps
    assert Image.open(tmp_path / name).size == (2000, 7372)


def test_a_kill_leaves_nothing(tmp_path):
    """Or the complete image, where the kill comes after the image has its name and before the process ends."""
    target = tmp_path / "y.png"
    tesela.stream("constant_of_shape", None, tmp_path / "x.png", shape=(6000, 2000, 3), value=np.uint8(9))
    words = [sys.executable, "-m", "tesela", "resize", tmp_path / "x.png", target, "--scales", "1,0.9", "--mode", "cubic", "--memory", "8MiB"]
    start = time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    duration, complete = time.monotonic() - start, target.read_bytes()
    target.unlink()
    nothing = 0
    for share in (0.3, 0.5, 0.7, 0.9):
        with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
            time.sleep(share * duration)
            process.send_signal(signal.SIGKILL)
        if target.exists():
            assert target.read_bytes() == complete, share
            target.unlink()
        else:
            assert process.returncode == -signal.SIGKILL
            nothing += 1
        assert os.listdir(tmp_path) == ["x.png"], share
    assert nothing


@pytest.mark.parametrize("named_only", [False, True])
def test_an_older_image_is_replaced(named_only, tmp_path, monkeypatch):
    if named_only:  # as on file systems without files that have no name
        monkeypatch.setattr(scratch.os, "O_TMPFILE", os.O_DIRECTORY)
    x = picture((20, 30, 3))
    source, target = write(tmp_path / "x.png", x), write(tmp_path / "y.png", 255 - x)
    tesela.stream("tile", source, target, repeats=(1, 2, 1))
    assert_equal(np.asarray(Image.open(target)), np.tile(x, (1, 2, 1)))
    assert sorted(os.listdir(tmp_path)) == ["x.png", "y.png"]


# As on file systems without files that have no name.
NAMED_ONLY = """
import os, sys
os.O_TMPFILE = os.O_DIRECTORY
import numpy as np, tesela
tesela.stream("resize", sys.argv[1], sys.argv[2], scales=(1, 0.5, 1), mode="linear", memory="8MiB")
"""


def test_a_kill_where_files_have_names_only(tmp_path):
    """It leaves a part, which the next call for the same output removes before it computes; a part that is being written stays."""
    source, target, part = tmp_path / "x.npy", tmp_path / "y.png", tmp_path / "y.png.partial"
    x = np.random.default_rng(0).integers(0, 256, (6000, 2000, 3)).astype(np.uint8)  # encoding takes a while
    save(source, x)
    with subprocess.Popen([sys.executable, "-c", NAMED_ONLY, source, target], stderr=subprocess.PIPE) as process:
        while not part.exists() and process.poll() is None:
            time.sleep(0.002)
        with pytest.raises(tesela.UsageError, match="another process writes '.*y.png'"):
            tesela.stream("tile", x[:9, :9], target, repeats=(1, 1, 1))
        process.send_signal(signal.SIGKILL)
    assert sorted(os.listdir(tmp_path)) == ["x.npy", "y.png.partial"]

    left = []
    tesela.stream("tile", x[:90, :90], target, repeats=(1, 1, 1), progress=lambda share: left.append(part.exists()))
    assert left and not any(left) and sorted(os.listdir(tmp_path)) == ["x.npy", "y.png"]
    assert_equal(np.asarray(Image.open(target)), x[:90, :90])


SHARES = [("x.png", "y.npy", 2, 0), ("x.npy", "y.jpg", 2, 1), ("x.png", "y.png", 3, 2)]


@pytest.mark.parametrize("source, target, parts, last", SHARES)
def test_progress_counts_rows_that_are_decoded_and_encoded(source, target, parts, last, tmp_path):
    x = picture((1500, 900, 3))
    path = write(tmp_path / source, x) if source.endswith("png") else save(tmp_path / source, x)
    shares = []
    tesela.stream("tile", path, tmp_path / target, repeats=(1, 1, 1), memory="3MiB", progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1 and 0 <= shares[0] < 0.3
    # 4 MB are several bands of rows, and several regions: each part of the work reports more than once.
    for part in range(parts):
        assert len({share for share in shares if part / parts < share < (part + 1) / parts}) > 1, (part, shares)


def test_what_progress_raises_ends_decoding_and_encoding(tmp_path):
    path = write(tmp_path / "x.png", picture((1500, 900, 3)))
    for after in (0.1, 0.9):
        def stop(share, after=after):
            if share > after:
                raise KeyError("enough")

        with pytest.raises(KeyError, match="enough"):
            tesela.stream("tile", path, tmp_path / "y.png", repeats=(1, 1, 1), progress=stop)
        assert os.listdir(tmp_path) == ["x.png"]


def test_errors_of_the_system_say_what_and_which_file(tmp_path, monkeypatch):
    """The words of the program: cannot, what, the file, why."""
    write(tmp_path / "x.png", picture((1500, 900, 3)))
    monkeypatch.chdir(tmp_path)  # long names are shortened
    path = "x.png"
    call = dict(repeats=(1, 1, 1), memory="3MiB")
    with monkeypatch.context() as patched:  # the file of decoded elements cannot be written
        patched.setattr(image_source, "unnamed_file", lambda folder: os.open(path, os.O_RDONLY))
        with pytest.raises(tesela.IoError, match=r"^cannot write the elements of 'x.png': Bad file descriptor$"):
            tesela.stream("tile", path, "y.png", **call)
    pack = tesela._core.image_pack
    with monkeypatch.context() as patched:
        patched.setattr(tesela._core, "image_pack", lambda *words: pack(*words[:4], os.open(path, os.O_RDONLY), *words[5:]))
        with pytest.raises(tesela.IoError, match=r"^cannot write 'y.png': Bad file descriptor$"):
            tesela.stream("tile", path, "y.png", **call)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, before[1]))
        with pytest.raises(tesela.IoError, match=r"^cannot write the elements of 'x.png': File too large$"):
            tesela.stream("tile", path, "y.png", **call)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert os.listdir(tmp_path) == ["x.png"]


def test_what_images_cannot_hold(tmp_path):
    source = save(tmp_path / "x.npy", picture((20, 30, 3), "float32"))
    calls = [(source, "y.png", {}, tesela.UnsupportedError, "PNG cannot hold type float; expected uint8 or uint16"),
             (source, "y.jpg", {}, tesela.UnsupportedError, "JPEG cannot hold type float; expected uint8"),
             (np.zeros((4, 4, 5), np.uint8), "y.png", {}, tesela.ShapeError, "PNG cannot hold 5 channels; expected 1 to 4"),
             (np.zeros((4, 4, 2), np.uint8), "y.jpg", {}, tesela.ShapeError, "JPEG cannot hold 2 channels; expected 1 or 3"),
             (np.zeros((2, 70_000), np.uint8), "y.jpg", {}, tesela.ShapeError, "expected 1 to 65500 rows and columns"),
             (np.zeros((4, 4), np.uint8), "y.png", dict(chunks=(2, 2)), tesela.UsageError, "chunks are for Zarr; the output is an image")]
    for given, name, options, kind, message in calls:
        with pytest.raises(kind, match=message):
            tesela.stream("tile", given, tmp_path / name, repeats=(1,) * np.ndim(read(given) if given is source else given), **options)
        assert os.listdir(tmp_path) == ["x.npy"]


def test_damaged_and_hostile_images(tmp_path):
    x = write(tmp_path / "x.png", np.random.default_rng(0).integers(0, 256, (60, 50, 3)).astype(np.uint8))
    whole = x.read_bytes()
    for data, kind, message in ((whole[:-400], tesela.TruncatedError, "the PNG file ends early"), (b"", tesela.TruncatedError, "the file is empty"),
                                (b"GIF89a" + whole, tesela.ParseError, "not a JPEG file"),
                                (whole[:200] + b"????" + whole[204:], tesela.ParseError, "PNG: ")):
        x.write_bytes(data)
        with pytest.raises(kind, match=f"': {message}"):
            tesela.stream("tile", x, tmp_path / "y.png", repeats=(1, 1, 1))
    with pytest.raises(tesela.IoError, match="cannot open .*': No such file"):
        tesela.stream("tile", tmp_path / "z.png", tmp_path / "y.png", repeats=(1, 1, 1))
    # All coefficients of a progressive JPEG are kept until its last scan.
    Image.fromarray(picture((900, 800, 3))).save(tmp_path / "p.jpg", progressive=True)
    message = resize.fail(LIMIT, tmp_path / "p.jpg", tmp_path / "y.png", "--sizes", "40,30", "--memory", "1MiB")
    assert "': the JPEG file needs more memory than the limit allows" in message
    assert resize(tmp_path / "p.jpg", tmp_path / "y.png", "--sizes", "40,30", "--memory", "16MiB", "--quiet").returncode == DONE
    assert sorted(os.listdir(tmp_path)) == ["p.jpg", "x.png", "y.png"]
    cli_program.fail(BAD, "resize", x, tmp_path / "z.png", "--sizes", "4,3")
