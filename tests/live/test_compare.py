# SPDX-License-Identifier: Apache-2.0
"""Compare asks PyTorch for the calls that nodes stand for."""

import subprocess
import sys

import numpy as np
import pytest
import tesela


def outcome(line):
    return tesela.compare(line, "torch", repeat=0).nodes[0].outcomes[0]


@pytest.mark.parametrize("line", [
    "linear float 1x3x20x30 -> 1x3x41x17",
    "linear align_corners double 2x3x20 -> 2x3x7",
    "linear float 1x2x5x6x7 -> 1x2x9x4x7",
    "cubic float 1x3x20x30 -> 1x3x41x17",
    "cubic antialias exclude_outside float 1x3x20x30 -> 1x3x7x17 cubic_coeff_a=-0.5",
    "linear antialias exclude_outside float 1x3x20x30 -> 1x3x7x17",
    "nearest asymmetric floor float 1x3x20x30 -> 1x3x41x17",
    "nearest round_prefer_ceil float 1x3x20x30 -> 1x3x41x17",
    "linear float 1x1x4x4 -> 1x1x8x8 scales=1,1,2,2",
    "linear bfloat16 1x3x4 -> 1x3x9",
    "tile int64 3x4 -> 6x4",
    "fill int32 -> 3x4 value=7",
])
def test_a_call_gives_what_the_node_means(line):
    assert outcome(line).verdict in ("equal", "rounding")


@pytest.mark.parametrize("line, rule", [
    ("linear antialias float 1x3x10x10 -> 1x3x4x5", "pytorch/antialias-linear"),
    ("cubic antialias float 1x3x12x12 -> 1x3x6x7", "pytorch/antialias-cubic"),
    ("nearest float 1x1x1x26 -> 1x1x1x64", "pytorch/nearest"),
    ("linear antialias exclude_outside align_corners float 1x1x9x9 -> 1x1x4x5", "pytorch/antialias-corners"),
    ("linear antialias exclude_outside float 1x1x10x10 -> 1x1x10x5 scales=1,1,1.05,0.55", "pytorch/antialias-scales"),
    ("cubic antialias exclude_outside double 1x2x8x1 -> 1x2x4x1 cubic_coeff_a=-0.5", "pytorch/antialias-column"),
    ("linear antialias exclude_outside uint8 1x5x8x3 -> 1x5x4x1", "pytorch/antialias-column"),
])
def test_a_difference_has_a_rule(line, rule):
    found = outcome(line)
    assert found.verdict == "different" and found.explanation.rules[0].rule == rule
    assert found.explanation.by == "emulation"


def test_images_of_three_bytes_to_a_point_are_refused():
    found = outcome("linear uint8 1x3x4x4 -> 1x3x1x1")
    assert found.verdict == "refused" and "INTERNAL ASSERT FAILED" in found.answer.text
    assert [rule.rule for rule in found.explanation.rules] == ["pytorch/three-bytes"]


def test_scales_without_whole_products_are_scale_factors():
    """Of antialias, too: https://github.com/microsoft/onnxscript/pull/2916 says otherwise."""
    for mode in ("linear", "cubic"):
        line = f"{mode} antialias exclude_outside float 1x2x20x23 -> 1x2x11x10 scales=1,1,0.57,0.45 cubic_coeff_a=-0.5"
        assert outcome(line).verdict in ("equal", "rounding")


def test_onnxruntime_28310():
    """https://github.com/microsoft/onnxruntime/issues/28310: 12 of 64 values of nearest differ."""
    x = ",".join(map(str, range(26)))
    found = outcome(f"nearest float 1x1x1x26 -> 1x1x1x64 x={x}")
    assert found.difference.differ == 12 and found.answer.array.ravel()[30:35].tolist() == [12, 12, 13, 13, 13]


def test_what_has_no_call_is_refused():
    found = outcome("linear half_pixel_symmetric float 1x3x20x30 -> 1x3x7x13")
    assert found.verdict == "refused" and found.answer.text == "interpolate has no half_pixel_symmetric in mode linear"


def test_the_program_shows_the_difference(tmp_path):
    reduced = tesela.compare("linear antialias float 1x3x10x10 -> 1x3x4x5", "torch", repeat=0).reduce(seconds=5)
    assert reduced.report.node.x.size <= 4
    _, program = reduced.write(tmp_path / "small")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    expected, got = (np.array(eval(text)) for text in done.stdout.split("\n")[1::2][:2])
    assert np.array_equal(expected, reduced.expected) and not np.allclose(expected, got, atol=1e-3)
