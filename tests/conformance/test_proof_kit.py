# SPDX-License-Identifier: Apache-2.0
"""Tests of the oracle and the emulation: they are compared with each other and with numbers from
elsewhere: onnx's own node tests, its former opset-10 tests, and results of onnx 1.23.2,
onnxruntime 1.31.1 or openvino 2026.4.1 where these follow the standard.
"""

from __future__ import annotations

import collections
import functools
import math
from fractions import Fraction

import case_rules
import emulation
import emulation_axis
import numpy as np
import oracle
import oracle_axis
import oracle_check
import pytest
import random_cases
from case import NUMPY_TYPES, FillCase, ResizeCase, TileCase, compute_type, resolve
from emulation import emulate

RANDOM_CASES = 3000
CHUNK = 100
X4 = [10.0, 20.0, 30.0, 40.0]
ONE_TO_FOUR = [1.0, 2.0, 3.0, 4.0]


def make(x, mode="linear", dtype="float", **rest) -> ResizeCase:
    """A case from plain lists; scales become binary32."""
    if "scales" in rest:
        rest["scales"] = [float(np.float32(scale)) for scale in rest["scales"]]
    if "roi" in rest:
        rest["roi"] = np.array(rest["roi"], dtype=np.float32)
    if "cubic_coeff_a" in rest:
        rest["cubic_coeff_a"] = float(np.float32(rest["cubic_coeff_a"]))
    coordinates = rest.pop("at", None)
    if coordinates:
        rest["coordinate_transformation_mode"] = coordinates
    made = ResizeCase(np.array(x, dtype=NUMPY_TYPES[dtype]), dtype, mode=mode, **rest)
    case_rules.validate(made)
    return made


def proven(case: ResizeCase) -> np.ndarray:
    """The emulation's output, checked with the oracle."""
    result = emulate(case)
    faults = oracle_check.check(case, result)
    assert not faults, f"{case.word()}\n" + "\n".join(faults)
    return result


# --- Oracle against emulation --------------------------------------------------------------------


@pytest.mark.parametrize("start", range(0, RANDOM_CASES, CHUNK))
def test_emulation_agrees_with_oracle_on_random_cases(start):
    for seed in range(start, start + CHUNK):
        case = random_cases.case(seed)
        faults = oracle_check.check(case, emulate(case))
        assert not faults, f"seed {seed}: {case.word()}\n" + "\n".join(faults)


def test_positions_of_both_are_equal():
    for seed in range(600):
        case = random_cases.case(seed)
        for axis in resolve(case):
            if axis.is_identity or axis.n == 0:
                continue
            for i in range(axis.m):
                expected = oracle_axis.position(case, axis, i)
                if axis.is_exact:
                    numerator, denominator = emulation_axis.exact_position(case, axis, i)
                    assert denominator > 0
                    found = Fraction(numerator, denominator)
                else:
                    found = emulation_axis.double_position(case, axis, i)
                assert found == expected or found != found, f"seed {seed}: {case.word()}"


def test_random_cases_reach_everything():
    seen = collections.Counter()
    for seed in range(RANDOM_CASES):
        seen.update(random_cases.features(random_cases.case(seed)))
    expected = set(random_cases.TYPES_16) | case_rules.NEAREST_MODES | case_rules.POLICIES
    expected |= {mode for modes in case_rules.COORDINATE_MODES.values() for mode in modes}
    expected |= {f"rank {rank}" for rank in range(7)} | {"simple", "empty input", "empty output"}
    expected |= {
        f"{cell.op}-{cell.since_version} {cell.mode}"
        for cell in random_cases.all_cells()
        if cell.op in ("Resize", "Upsample")
    }
    expected |= {f"roi float{bits}" for bits in (16, 32, 64)}
    expected |= {
        f"antialias {mode} exclude_outside={flag}"
        for mode in ("linear", "cubic")
        for flag in (0, 1)
    }
    expected |= {"float in binary64", "extents of a host"}
    assert not expected - set(seen)


def test_oracle_sees_a_wrong_element():
    rng = np.random.default_rng(1)
    for dtype in ("float", "float16", "bfloat16", "double", "uint8", "int64", "complex64"):
        case = make(rng.integers(10, 90, 12), "cubic", dtype, sizes=[17])
        result = emulate(case)
        assert not oracle_check.check(case, result)
        wrong = result.copy()
        wrong[5] = wrong[5] + wrong[5] / 8
        assert oracle_check.check(case, wrong), dtype
        assert oracle_check.check(case, result[:-1]), dtype
        assert oracle_check.check(case, result.astype(np.bool_)), dtype


def test_oracle_is_exact():
    values = oracle.resize(make(X4, sizes=[7])).values()
    assert values[0] == 10 and values[1] == Fraction(95, 7)
    # All four weights of cubic at r = 1/4 and a = -3/4 are dyadic.
    values = oracle.resize(make(X4, "cubic", scales=[2.0])).values()
    assert values[3] == Fraction(735, 32)


def test_oracle_sees_a_wrong_move():
    case = make([1.0, -0.0, math.nan], "nearest", scales=[2.0])
    wrong = emulate(case)
    assert not oracle_check.check(case, wrong)
    wrong[2] = 0.0
    assert len(oracle_check.check(case, wrong)) == 1


@pytest.mark.parametrize("seed", range(0, 400, 7))
def test_case_survives_word_and_json(seed):
    case = random_cases.case(seed)
    assert "\n" not in case.word()
    for copy in (ResizeCase.from_word(case.word()), ResizeCase.from_json(case.to_json())):
        assert copy.to_json() == case.to_json()
        assert copy.word() == case.word()
        assert oracle_check.element_bytes(copy.x) == oracle_check.element_bytes(case.x)
        assert copy.x.dtype == case.x.dtype and copy.x.shape == case.x.shape


# --- Shapes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "n, scale, m",
    [(10, 0.7, 6), (5, 1.4, 6), (100, 0.29, 28), (49, 1 / 49, 0), (3, 1 / 3, 1), (3, 1.3, 3)],
)
def test_extent_is_the_floor_of_the_double_product(n, scale, m):
    case = make(np.zeros(n), scales=[scale])
    assert emulation.output_shape(case) == (m,)
    assert proven(case).shape == (m,)


@pytest.mark.parametrize(
    "shape, sizes, policy, axes, expected",
    [
        ([1, 1, 3, 7], [1, 1, 6, 7], "not_smaller", None, (2, 2, 6, 14)),
        ([100, 50], [29, 50], "not_larger", None, (29, 15)),
        ([10, 5], [5, 10], "not_larger", None, (5, 3)),
        ([3, 7], [2, 2], "not_larger", None, (1, 2)),
        ([1, 1, 2, 2], [7, 8], "not_larger", [2, 3], (1, 1, 7, 7)),
        ([1, 1, 2, 2], [7, 8], "not_smaller", [2, 3], (1, 1, 8, 8)),
        ([1, 1, 2, 4], [1, 3], "not_larger", [2, 3], (1, 1, 1, 2)),
        ([1, 1, 2, 4], [1, 3], "not_smaller", [2, 3], (1, 1, 2, 3)),
        ([0, 4], [0, 2], "not_larger", None, (0, 2)),
        ([3, 4], [0, 2], "not_larger", None, (0, 0)),
    ],
)
def test_policy_rounds_extents_half_up(shape, sizes, policy, axes, expected):
    case = make(np.zeros(shape), sizes=sizes, axes=axes, keep_aspect_ratio_policy=policy)
    assert emulation.output_shape(case) == expected
    assert proven(case).shape == expected


def test_roi_does_not_change_the_extent():
    roi = [0.25, 0.75]
    assert proven(make(ONE_TO_FOUR, scales=[2.0], roi=roi, at="tf_crop_and_resize")).shape == (8,)


# --- Values found elsewhere ----------------------------------------------------------------------

CROP = "tf_crop_and_resize"
GRID = np.arange(1.0, 17.0).reshape(4, 4)
ROWS = np.arange(1.0, 9.0).reshape(2, 4)
UP8 = [8.945312, 11.914062, 16.679688, 22.96875, 27.03125, 33.320312, 38.085938, 41.054688]

# (case, expected); an expected dict names single elements.
VECTORS = {
    # The scale is the given one, not m/n, and an axis with m = n is resampled too.
    "scale_1.3": (make([0, 1, 2], scales=[1.3]), [0, 0.6538462, 1.4230769]),
    "scale_0.6": (make(X4, scales=[0.6]), [13.3333, 30]),
    "scale_0.6_small": (make(ONE_TO_FOUR, scales=[0.6]), {1: 3.0}),
    "scale_0.6_sizes": (make(ONE_TO_FOUR, sizes=[2]), {1: 3.5}),
    # Positions
    "symmetric_1.3": (
        make([100, 200], scales=[1.3], at="half_pixel_symmetric"),
        [111.538, 188.462],
    ),
    "half_pixel_1.3": (make([100, 200], scales=[1.3]), [100, 165.385]),
    "symmetric_0.6": (make(X4, scales=[0.6], at="half_pixel_symmetric"), [16.6667, 33.3333]),
    "align_0.6": (make(X4, scales=[0.6], at="align_corners"), [10, 31.42857]),
    "asymmetric_0.6": (make(X4, scales=[0.6], at="asymmetric"), [10, 26.6667]),
    "align_one": (make(ONE_TO_FOUR, sizes=[1], at="align_corners"), [1]),
    "align_fraction": (make(ONE_TO_FOUR, scales=[0.6], at="align_corners"), [1, 3.142857]),
    "pytorch_one_sizes": (make(ONE_TO_FOUR, "cubic", sizes=[1], at="pytorch_half_pixel"), [1.0]),
    "pytorch_one_scales": (
        make(ONE_TO_FOUR, "cubic", scales=[0.3], at="pytorch_half_pixel"),
        [1.0],
    ),
    "pytorch_one_antialias": (
        make(GRID, sizes=[1, 3], antialias=1, at="pytorch_half_pixel"),
        {(0, 1): 5.0},
    ),
    "symmetric_just_above": (
        make([10, 20, 30, 40, 50], "cubic", scales=[0.214], at="half_pixel_symmetric"),
        [30.00003],
    ),
    # Linear and cubic
    "linear_x2": (make(X4, scales=[2.0]), [10, 12.5, 17.5, 22.5, 27.5, 32.5, 37.5, 40]),
    "linear_7": (make(X4, sizes=[7]), [10, 13.5714, 19.2857, 25, 30.7143, 36.4286, 40]),
    "linear_7_align": (make(X4, sizes=[7], at="align_corners"), [10, 15, 20, 25, 30, 35, 40]),
    "cubic_x2": (make(X4, "cubic", scales=[2.0]), UP8),
    "cubic_x2_sizes": (make(X4, "cubic", sizes=[8]), UP8),
    "cubic_exclude": (
        make(X4, "cubic", scales=[2.0], exclude_outside=1),
        {0: 8.636364, 1: 11.731449, 2: 16.45283, 3: 22.96875},
    ),
    "cubic_exclude_one": (make([7], "cubic", sizes=[3], exclude_outside=1), [7, 7, 7]),
    # Antialias
    "antialias_linear": (make(X4, sizes=[3], antialias=1), [12.727273, 25, 37.272727]),
    "antialias_linear_exclude": (
        make(X4, sizes=[3], antialias=1, exclude_outside=1),
        [13, 25, 37],
    ),
    "antialias_cubic": (
        make(X4, "cubic", sizes=[3], antialias=1),
        [11.550018, 25, 38.449982],
    ),
    "antialias_cubic_exclude": (
        make(X4, "cubic", sizes=[3], antialias=1, exclude_outside=1),
        [11.608977, 25, 38.391023],
    ),
    "antialias_align": (
        make([1, 2, 3, 4, 5], sizes=[3], antialias=1, at="align_corners"),
        [1.2222222, 3, 4.7777778],
    ),
    "antialias_up_and_down": (
        make(ROWS, scales=[2.0, 0.6], antialias=1),
        {(0, 0): 1.375, (0, 1): 3.0, (1, 0): 2.375, (1, 1): 4.0},
    ),
    # Policy: one scale for all axes
    "policy": (
        make(
            np.arange(1.0, 22.0).reshape(3, 7),
            sizes=[2, 2],
            keep_aspect_ratio_policy="not_larger",
        ),
        [[11, 14.5]],
    ),
    "no_policy": (make(np.arange(1.0, 22.0).reshape(3, 7), sizes=[1, 2]), [[9.25, 12.75]]),
    # Crop
    "crop_last": (
        make(np.arange(1, 12), sizes=[15], roi=[0, 1], extrapolation_value=-99.0, at=CROP),
        {0: 1, 14: 11},
    ),
    "crop_same_size": (
        make(ONE_TO_FOUR, sizes=[4], roi=[0.25, 0.75], at=CROP),
        [1.75, 2.25, 2.75, 3.25],
    ),
    "crop_centre": (make(ONE_TO_FOUR, sizes=[1], roi=[0.2, 0.4], at=CROP), [1.9]),
    "crop_centre_scales": (make([1, 2, 3], scales=[1 / 3], roi=[0.2, 0.8], at=CROP), [2.0]),
    "crop_nearest": (
        make(ONE_TO_FOUR, "nearest", sizes=[5], roi=[-0.5, 1.5], extrapolation_value=9.0, at=CROP),
        [9, 1, 2, 4, 9],
    ),
    "crop_reversed": (make(ONE_TO_FOUR, sizes=[4], roi=[1, 0], at=CROP), [4, 3, 2, 1]),
    "crop_absent_roi": (make(ONE_TO_FOUR, sizes=[4], at=CROP), ONE_TO_FOUR),
    "crop_uint8_half": (
        make([1, 2], dtype="uint8", sizes=[2], roi=[-1, 2], extrapolation_value=3.5, at=CROP),
        [4, 4],
    ),
    "crop_uint8_below": (
        make([1, 2], dtype="uint8", sizes=[2], roi=[-1, 2], extrapolation_value=-1.0, at=CROP),
        [0, 0],
    ),
    "crop_uint8_above": (
        make([1, 2], dtype="uint8", sizes=[2], roi=[-1, 2], extrapolation_value=300.0, at=CROP),
        [255, 255],
    ),
    # Element types
    "uint8_linear": (
        make([0, 1, 3, 2], dtype="uint8", scales=[2.0]),
        [0, 0, 1, 2, 2, 3, 2, 2],
    ),
    "uint8_half": (make([0, 3], dtype="uint8", scales=[2.0]), [0, 1, 2, 3]),
    "int8_align": (
        make([-3, 0, 1, 4], dtype="int8", sizes=[7], at="align_corners"),
        [-3, -2, 0, 0, 1, 2, 4],
    ),
    "uint8_cubic_antialias": (
        make([0, 255, 0, 255], "cubic", "uint8", scales=[2.0], antialias=1),
        [0, 67, 224, 215, 40, 31, 188, 255],
    ),
    "uint8_saturates": (make([0, 255], "cubic", "uint8", scales=[2.0]), [0, 58, 197, 255]),
    "int64_max_moves": (make([2**63 - 1], dtype="int64", scales=[1.0]), [2**63 - 1]),
    "int64_max_saturates": (make([2**63 - 1], dtype="int64", scales=[2.0]), [2**63 - 1] * 2),
    "float16_overflows": (
        make([0, 65504, 65504, 0], "cubic", "float16", scales=[2.0]),
        {3: math.inf, 4: math.inf},
    ),
    "inf_moves": (make([math.inf, 1], "nearest", scales=[2.0]), [math.inf, math.inf, 1, 1]),
    "inf_under_no_weight": (
        make([1, math.inf, 3], sizes=[5], at="align_corners"),
        [1, math.inf, math.inf, math.inf, 3],
    ),
    # Resize-10 and Upsample
    "ten_0.6": (make(ONE_TO_FOUR, "nearest", since_version=10, scales=[0.6]), [1, 3]),
    "ten_0.75": (make(ONE_TO_FOUR, "nearest", since_version=10, scales=[0.75]), [1, 3, 4]),
    "ten_1.5": (make(ONE_TO_FOUR, "nearest", since_version=10, scales=[1.5]), [1, 1, 2, 3, 3, 4]),
    "ten_linear_0.6": (make(ONE_TO_FOUR, since_version=10, scales=[0.6]), [1, 2.66666651]),
    "ten_linear_x2": (make([1, 2], since_version=10, scales=[2.0]), [1, 1.5, 2, 2]),
    "eleven_linear_x2": (make([1, 2], since_version=11, scales=[2.0]), [1, 1.25, 1.75, 2]),
    "upsample": (
        make([[1, 2], [3, 4]], "nearest", op="Upsample", since_version=9, scales=[2.0, 3.0]),
        np.repeat(np.repeat([[1, 2], [3, 4]], 2, axis=0), 3, axis=1),
    ),
    "upsample_linear": (
        make(ONE_TO_FOUR, op="Upsample", since_version=7, scales=[2.0]),
        [1, 1.5, 2, 2.5, 3, 3.5, 4, 4],
    ),
    # Axes
    "axes_negative": (make(ROWS, "nearest", axes=[-1], scales=[0.5]), [[1, 3], [5, 7]]),
    "axes_in_their_order": (
        make(np.arange(4.0).reshape(1, 1, 2, 2), "nearest", axes=[3, 2], sizes=[2, 3]),
        [[[[0, 1], [0, 1], [2, 3]]]],
    ),
    "no_axes": (make(ROWS, "cubic", axes=[], antialias=1), ROWS),
    "rank_0": (make(5.0, "cubic", scales=[]), 5.0),
    # Nearest: ties by direction; exact positions under sizes, doubles under scales
    "exclude_nearest": (
        make(ONE_TO_FOUR, "nearest", nearest_mode="floor", scales=[2.0], exclude_outside=1),
        {0: 1},
    ),
    "identity_in_half_pixel_for_nn": (
        make(
            ROWS[0],
            "nearest",
            scales=[1.0],
            nearest_mode="ceil",
            at="tf_half_pixel_for_nn",
        ),
        ROWS[0],
    ),
    "third_scales": (make([0, 1, 2], "nearest", scales=[1 / 3], nearest_mode="floor"), [0]),
    "third_sizes": (make([0, 1, 2], "nearest", sizes=[1], nearest_mode="floor"), [1]),
}

# (n, m, coordinate mode, nearest mode, output, the sample it takes)
NEAREST = [
    (20, 6, "half_pixel", "round_prefer_floor", 1, 4),
    (20, 6, "half_pixel", "round_prefer_ceil", 1, 5),
    (20, 6, "half_pixel", "round_prefer_ceil", 4, 15),
    (14, 18, "asymmetric", "floor", 9, 7),
    (14, 2, "asymmetric", "floor", 1, 7),
    (7, 9, "half_pixel", "floor", 4, 3),
    (7, 29, "align_corners", "floor", 14, 3),
    (7, 17, "half_pixel", "floor", 8, 3),
    (7, 17, "half_pixel", "round_prefer_floor", 8, 3),
    (7, 17, "half_pixel", "round_prefer_ceil", 8, 3),
    (2, 98, "asymmetric", "floor", 49, 1),
]


@pytest.mark.parametrize("name", VECTORS)
def test_vector(name):
    case, expected = VECTORS[name]
    found = proven(case)
    if isinstance(expected, dict):
        for index, value in expected.items():
            np.testing.assert_allclose(found[index], value, rtol=5e-6)
    else:
        assert found.shape == np.shape(expected)
        if found.dtype.kind in "iu":
            assert found.tolist() == list(expected)
        else:
            np.testing.assert_allclose(found, expected, rtol=5e-6)


@pytest.mark.parametrize("n, m, coordinates, rounding, i, sample", NEAREST)
def test_nearest_vector(n, m, coordinates, rounding, i, sample):
    case = make(np.arange(n), "nearest", sizes=[m], nearest_mode=rounding, at=coordinates)
    assert proven(case)[i] == sample


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_exact_hit_takes_one_sample(mode):
    # 7 -> 17: output 8 is exactly at sample 3.
    x = np.zeros(7)
    x[2] = math.nan
    assert proven(make(x, mode, sizes=[17]))[8] == 0


@pytest.mark.parametrize(
    "mode, rest, i, first, expected",
    [
        (
            "cubic",
            {"scales": [1.0, 4.0]},
            13,
            2,
            [-0.10546875, 0.87890625, 0.26171875, -0.03515625],
        ),
        (
            "cubic",
            {"scales": [1.0, 4.0], "cubic_coeff_a": -0.5},
            13,
            2,
            [-0.0703125, 0.8671875, 0.2265625, -0.0234375],
        ),
        ("cubic", {"scales": [1.0, 4.0]}, 14, 2, [-0.09375, 0.59375, 0.59375, -0.09375]),
        (
            "cubic",
            {"scales": [1.0, 4.0], "cubic_coeff_a": -0.5},
            14,
            2,
            [-0.0625, 0.5625, 0.5625, -0.0625],
        ),
        ("cubic", {"scales": [1.0, 4.0]}, 12, 2, [0, 1, 0, 0]),
        ("linear", {"sizes": [8, 6], "antialias": 1}, 3, 3, [0.090909, 0.636364, 0.272727, 0]),
        ("linear", {"sizes": [8, 4], "antialias": 1}, 1, 1, [0.125, 0.375, 0.375, 0.125]),
        (
            "cubic",
            {"sizes": [8, 6], "antialias": 1},
            3,
            2,
            [-0.04946867, 0.08611213, 0.72590693, 0.3198974, -0.08244778, 0],
        ),
    ],
)
def test_weights(mode, rest, i, first, expected):
    # An identity matrix shows the weights: row j of the output is the weight of sample j.
    coordinates = "half_pixel" if "antialias" in rest else "asymmetric"
    weights = proven(make(np.eye(8), mode, at=coordinates, **rest))[:, i]
    np.testing.assert_allclose(weights[first : first + len(expected)], expected, atol=6e-7)
    assert np.count_nonzero(weights) == np.count_nonzero(expected)


# --- Bits that the oracle cannot see -------------------------------------------------------------


def test_passes_shrink_first_and_the_last_two_others_swap():
    def order(shape, sizes):
        return emulation.pass_order(resolve(make(np.zeros(shape), sizes=sizes)))

    assert order([4, 4], [2, 2]) == [0, 1]
    assert order([4, 4], [8, 8]) == [1, 0]
    assert order([4, 4, 4], [8, 8, 8]) == [0, 2, 1]
    assert order([4, 4, 4, 4], [8, 2, 4, 8]) == [1, 3, 0]


def test_first_tap_starts_the_sum():
    result = emulate(make([-0.0, -0.0], scales=[2.0]))
    assert np.signbit(result).all()


def test_products_and_sums_round_separately():
    # 1/3 and 2/3 in binary32; a fused multiply-add would give another last bit for some of these.
    x = np.random.default_rng(3).normal(size=64).astype(np.float32)
    result = emulate(make(x, sizes=[192]))
    # Output 2 + 3j lies at j + 1/3.
    low, high = np.float32(2 / 3), np.float32(1 / 3)
    expected = low * x[:-1] + high * x[1:]
    assert result[2:-1:3].tobytes() == expected.tobytes()


def test_wide_window_computes_in_binary64():
    for extent, kind in ((512, np.float32), (513, np.float64)):
        case = make(np.full(extent, 255), dtype="uint8", sizes=[1], antialias=1)
        assert compute_type(case, resolve(case)) == kind
    x = np.random.default_rng(4).random(2500).astype(np.float32)
    narrow = emulate(make(x, sizes=[1], antialias=1))
    wide = emulate(make(x.astype(np.float64), dtype="double", sizes=[1], antialias=1))
    assert narrow == wide.astype(np.float32)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_types_round_once(dtype):
    numpy_type = NUMPY_TYPES[dtype]
    rng = np.random.default_rng(5)
    single = rng.integers(0, 2**32, 20000, dtype=np.uint32).view(np.float32)
    single = single[~np.isnan(single)]
    with np.errstate(over="ignore", under="ignore"):
        expected = single.astype(numpy_type)
    for values in (single, single.astype(np.float64)):
        assert emulation.same_bits(expected, emulation.round_out(values, dtype))
    # Just above a tie: rounding to binary32 first would make it the tie.
    step = 2.0 ** (-7 if dtype == "bfloat16" else -10)
    above = np.array([1 + step / 2 + 2.0**-40])
    assert float(emulation.round_out(above, dtype)[0]) == 1 + step
    below = np.array([1 + 3 * step / 2 - 2.0**-40])
    assert float(emulation.round_out(below, dtype)[0]) == 1 + step


def test_border_weight_is_exactly_one_under_sizes():
    x = np.full(3, 0.1, dtype=np.float64)
    for m in range(1, 40):
        result = emulate(make(x, dtype="double", sizes=[m]))
        assert result[0] == 0.1 and result[-1] == 0.1


def test_opposite_infinities_give_nan_and_one_alone_is_kept():
    result = emulate(make([math.nan, 1, 1, math.inf, -math.inf], scales=[2.0]))
    assert np.isnan(result[[0, 1, 2, 7, 8]]).all()
    assert result[[3, 4, 5, 6, 9]].tolist() == [1, 1, math.inf, math.inf, -math.inf]


def test_bool_bytes_above_one_move_as_they_are():
    x = np.array([0, 7, 255], dtype=np.uint8).view(np.bool_)
    moved = emulate(ResizeCase(x, "bool", mode="nearest", scales=[2.0]))
    assert moved.view(np.uint8).tolist() == [0, 0, 7, 7, 255, 255]
    computed = emulate(ResizeCase(x, "bool", mode="linear", scales=[2.0]))
    assert computed.view(np.uint8).tolist() == [0, 0, 1, 1, 1, 1]


# --- Refusals and cells --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "bilinear"},
        {"mode": "nearest", "antialias": 1},
        {"since_version": 13, "coordinate_transformation_mode": "half_pixel_symmetric"},
        {"since_version": 13, "antialias": 1},
        {"since_version": 13, "axes": [0]},
        {"since_version": 10, "mode": "cubic"},
        {"since_version": 12},
        {"scales": [0.0]},
        {"scales": [-1.0]},
        {"scales": [math.inf]},
        {"scales": [0.1]},
        {"scales": [2.0, 2.0]},
        {"scales": None},
        {"sizes": [4]},
        {"scales": None, "sizes": [-1]},
        {"axes": [1]},
        {"axes": [0, 0], "scales": [1.0, 1.0]},
        {"keep_aspect_ratio_policy": "not_larger"},
        {"mode": "cubic", "cubic_coeff_a": math.nan},
        {"coordinate_transformation_mode": CROP, "roi": np.zeros(3)},
        {"coordinate_transformation_mode": CROP, "roi": np.array([0.0, math.inf])},
        {"op": "Upsample", "since_version": 9, "scales": [0.5]},
        {"op": "Upsample", "since_version": 10},
        {"dtype": "double"},
    ],
)
def test_invalid_case_is_refused(change):
    given = {"mode": "linear", "scales": [2.0]} | change
    with pytest.raises(ValueError):
        case_rules.validate(ResizeCase(np.zeros(2, dtype=np.float32), **given))


def test_strings_under_crop_must_stay_inside():
    x = np.array([b"a", b"b"], dtype=object)
    given = {"dtype": "string", "sizes": [3], "coordinate_transformation_mode": CROP}
    case_rules.validate(ResizeCase(x, roi=np.array([0.0, 1.0]), **given))
    with pytest.raises(ValueError):
        case_rules.validate(ResizeCase(x, roi=np.array([0.0, 1.5]), **given))


def test_cells_match_the_oracle():
    cells = list(random_cases.all_cells())
    assert len({(c.op, c.since_version, c.dtype, c.mode) for c in cells}) == len(cells)
    for cell in cells:
        if isinstance(cell.case, TileCase):
            repeats = cell.case.repeats or [1, 3]
            assert emulation.same_bits(np.tile(cell.case.x, repeats), oracle.tile(cell.case))
        elif isinstance(cell.case, FillCase):
            result = oracle.fill(cell.case)
            assert result.shape == (2, 3) and result.dtype == NUMPY_TYPES[cell.dtype]
            assert set(oracle_check.element_bytes(result)) == {cell.case.value.tobytes()}
        elif cell.is_refused:
            with pytest.raises(ValueError):
                case_rules.validate(cell.case)
        else:
            case_rules.validate(cell.case)
            proven(cell.case)


def test_fill_of_no_entries_is_a_scalar():
    assert oracle.fill(FillCase([])).shape == ()
    assert oracle.fill(FillCase([0])).shape == (0,)
    assert oracle.fill(FillCase([2, 0, 3])).shape == (2, 0, 3)


def test_tile_may_empty_an_axis():
    tiled = oracle.tile(TileCase(np.ones((2, 2), dtype=np.float32), repeats=[0, 2]))
    assert tiled.shape == (0, 4)


# --- onnx's node tests ---------------------------------------------------------------------------


@functools.cache
def node_tests() -> list:
    from onnx.backend.test.case import node

    with np.errstate(all="ignore"):
        tests = node.collect_testcases()
    wanted = ("Resize", "Upsample", "Tile", "ConstantOfShape")
    return [test for test in tests if test.model.graph.node[0].op_type in wanted]


def case_from_test(test) -> tuple:
    """The case of an onnx node test, and the output that it expects."""
    from onnx import helper

    node = test.model.graph.node[0]
    version = max(o.version for o in test.model.opset_import if o.domain == "")
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    inputs, outputs = test.data_sets[0]
    inputs = iter(np.asarray(value) for value in inputs)
    names = ["x", "scales"] if node.op_type == "Upsample" else ["x", "roi", "scales", "sizes"]
    given = {name: next(inputs) for name, present in zip(names, node.input) if present}
    for name in ("scales", "sizes"):
        if name in given:
            given[name] = given[name].tolist()
    for name, value in attributes.items():
        given[name] = value.decode() if isinstance(value, bytes) else value
    if "axes" in given:
        given["axes"] = list(given["axes"])
    since = max(v for v in case_rules.VERSIONS[node.op_type] if v <= version)
    return ResizeCase(op=node.op_type, since_version=since, **given), np.asarray(outputs[0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_onnx_node_tests():
    seen = collections.Counter()
    for test in node_tests():
        op = test.model.graph.node[0].op_type
        seen[op] += 1
        if op not in ("Resize", "Upsample"):
            continue
        case, expected = case_from_test(test)
        case_rules.validate(case)
        found = proven(case)
        assert found.shape == expected.shape and found.dtype == expected.dtype, test.name
        if case.mode == "nearest":
            assert found.tobytes() == expected.tobytes(), test.name
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-7, err_msg=test.name)
    assert seen == {"Resize": 39, "Upsample": 1, "Tile": 2, "ConstantOfShape": 3}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_onnx_node_tests_of_tile_and_fill():
    for test in node_tests():
        node = test.model.graph.node[0]
        inputs, outputs = test.data_sets[0]
        if node.op_type == "Tile":
            found = oracle.tile(TileCase(inputs[0], repeats=inputs[1].tolist()))
        elif node.op_type == "ConstantOfShape":
            from onnx import numpy_helper

            value = numpy_helper.to_array(node.attribute[0].t)
            found = oracle.fill(FillCase(inputs[0].tolist(), value))
        else:
            continue
        assert emulation.same_bits(np.asarray(outputs[0]), found), test.name


# Source: onnx at b605eafb, the only tests of opset 10.
HISTORIC = {
    "test_resize_upsample_nearest": (
        "nearest",
        [[1, 2], [3, 4]],
        [2.0, 3.0],
        [[1, 1, 1, 2, 2, 2]] * 2 + [[3, 3, 3, 4, 4, 4]] * 2,
    ),
    "test_resize_downsample_nearest": ("nearest", ROWS, [0.6, 0.6], [[1, 3]]),
    "test_resize_upsample_linear": (
        "linear",
        [[1, 2], [3, 4]],
        [2.0, 2.0],
        [[1, 1.5, 2, 2], [2, 2.5, 3, 3], [3, 3.5, 4, 4], [3, 3.5, 4, 4]],
    ),
    "test_resize_downsample_linear": ("linear", ROWS, [0.6, 0.6], [[1, 2.66666651]]),
}


@pytest.mark.parametrize("name", HISTORIC)
def test_historic_opset_10(name):
    mode, x, scales, expected = HISTORIC[name]
    case = make([[x]], mode, since_version=10, scales=[1.0, 1.0, *scales])
    found = proven(case)
    assert found.shape == (1, 1, *np.shape(expected))
    np.testing.assert_allclose(found[0, 0], expected, rtol=1e-3, atol=1e-7)
