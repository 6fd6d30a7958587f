# SPDX-License-Identifier: Apache-2.0
"""The interactive page in headless Chromium, from its file: results, keys, labels, links, narrow windows, colours."""

from __future__ import annotations

import json
import re
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest
import tesela
from page_build import PAGE, ROOT


def png(pixels: np.ndarray) -> bytes:
    """A file without colour profile, whose pixels a browser does not change."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


OWN = np.random.default_rng(3).integers(0, 256, (11, 7, 3), np.uint8)


@pytest.fixture(scope="module")
def seen():
    folder = ROOT / "build" / "page-screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "own.png").write_bytes(png(OWN))
    program = [ROOT / ".venv-docs" / "bin" / "python", Path(__file__).parent / "browser.py", PAGE, folder]
    run = subprocess.run(list(map(str, program)), capture_output=True, text=True, timeout=800)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_nothing_is_requested_and_nothing_fails(seen):
    assert seen["seen"] == []


def test_it_loads_quickly(seen):
    assert min(seen["seconds"]) < 10, seen["seconds"]


def test_digests_are_those_of_the_native_library(seen):
    assert seen["digests"] == "All 10000 results are equal in every bit to those of the native library."


def pixels(part):
    return np.array(part["rgb"], np.uint8).reshape(part["height"], part["width"], 3)


def test_a_picture_of_ones_own_gets_the_native_bits(seen):
    found = seen["picture"]
    assert found["caption"] == "own.png, 11 × 7"
    np.testing.assert_array_equal(pixels(found["x"]), OWN)
    np.testing.assert_array_equal(pixels(found["a"]), tesela.resize(OWN, (14, 9), axes=(0, 1)))
    np.testing.assert_array_equal(pixels(found["b"]), tesela.resize(OWN, (14, 9), axes=(0, 1), like="pillow-11:bicubic"))
    a, b = pixels(found["a"]).astype(int), pixels(found["b"]).astype(int)
    assert f"{100 * np.mean(a != b):.1f} % of the values differ, at most by {np.abs(a - b).max()} of 255" in found["difference"]


def test_a_file_that_is_no_picture_is_refused(seen):
    assert seen["picture"]["refused"].startswith("'notes.txt' is not a picture")


def test_keys_reach_and_change_everything(seen):
    keys = seen["keys"]
    wanted = {"by", "height", "width", "policy", "a-like", "a-mode", "a-antialias", "b-like", "b-mode", "link", "reset", "axis", "in", "out",
              "output", "photograph", "chart", "file", "onnx", "python", "bits"}
    assert wanted <= set(keys["reached"]), wanted - set(keys["reached"])
    assert keys["before"].startswith("Output 0 lands at") and keys["after"].startswith("Output 1 lands at")
    assert keys["hash"] == "#a.mode=linear&a.antialias=1&shown=b" and keys["side"] == "B"


def test_everything_has_a_name_for_screen_readers(seen):
    assert seen["nameless"] == []


def test_links_hold_the_state(seen):
    links = seen["links"]
    restored = links["restored"]
    assert [restored[key] for key in ("mode", "like", "height", "axis")] == ["linear", "rules:onnxruntime", "31", "height"]
    assert "{31, 85}" in restored["onnx"] and "sizes=(31, 85)" in restored["python"]
    assert links["wrong"]["problem"].startswith("The link has an entry that is not allowed: mode is '<img src=x")
    assert links["wrong"]["height"] == "7" and links["wrong"]["images"] == 0
    assert links["kept"] == "900"
    assert links["unexplained"] == "How this runtime computes one axis is not explained here. Its result is below."
    assert re.match(r"A − B: [0-9.]+ % of the values differ, at most by [0-9.e-]+ of 255", links["runtime"]), links["runtime"]
    assert "limit" in links["large"] or "at most" in links["large"]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for weight, c in zip((0.2126, 0.7152, 0.0722), parts))


@pytest.mark.parametrize("window", ["wide-dark", "narrow-light", "narrow-dark"])
def test_windows_and_colours(seen, window):
    found = seen["windows"][window]
    assert found["scroll"] <= (1280 if window.startswith("wide") else 360)
    colours = found["colours"]
    assert (luminance(colours["ground"]) < 0.1) == window.endswith("dark")
    for text in ("ink", "quiet", "accent", "warm", "problem"):
        for ground in ("ground", "panel"):
            light, dark = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
