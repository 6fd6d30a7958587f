# SPDX-License-Identifier: Apache-2.0
"""Common mistakes in implementations of these operators, one test each, with the correct numbers by
the rules in docs/semantics.md.

Not here: 51 (one-bit constants begin with the most significant bit, and constants may have any
offset) and 52 (no oracle for exclude_outside, antialias and policy). They concern OpenVINO files
and are in the tests of that reader.
"""

from __future__ import annotations

import ctypes as c
import math

import case_rules
import emulation
import library
import numpy as np
import pytest
from case import NUMPY_TYPES, FillCase, ResizeCase, TileCase
from library import TeselaError
from onnx import TensorProto

CROP = {"coordinate_transformation_mode": "tf_crop_and_resize"}
ALIGN = {"coordinate_transformation_mode": "align_corners"}
ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
FOUR = [1, 2, 3, 4]
TENS = [10, 20, 30, 40]
INF = math.inf


def resize(x, mode="linear", dtype="float", scales=None, roi=None, **rest) -> np.ndarray:
    """The library's result, equal for both backends and the emulation."""
    case = ResizeCase(np.array(x, dtype=NUMPY_TYPES[dtype]), dtype, mode=mode, **rest)
    if scales is not None:
        case.scales = [float(np.float32(scale)) for scale in scales]
    if roi is not None:
        case.roi = np.array(roi, dtype=np.float32)
    case_rules.validate(case)
    found = library.run(case, backend=1)
    assert emulation.same_bits(emulation.emulate(case), found)
    assert emulation.same_bits(found, library.run(case))
    return found


def near(found: np.ndarray, expected) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=5e-6)


def tile(x, repeats) -> np.ndarray:
    return library.run(TileCase(np.array(x, dtype=np.float32), repeats=repeats))


def refused(kind: str, words: str, call, *arguments, **options) -> None:
    with pytest.raises(TeselaError, match=words) as caught:
        call(*arguments, **options)
    assert caught.value.kind == kind


# --- Tile ----------------------------------------------------------------------------------------


def test_01_tile_repeats_the_whole_and_not_each_element():
    assert tile([1, 2], [2]).tolist() == [1, 2, 1, 2]
    assert tile([[0, 1], [2, 3]], [2, 2]).tolist() == [[0, 1, 0, 1], [2, 3, 2, 3]] * 2


def test_02_repeats_of_0_empty_the_axis():
    assert tile([[1, 2], [3, 4]], [0, 2]).shape == (0, 4)


def test_03_too_few_repeats_are_an_error():
    refused("count", "has length 1; expected 2", tile, [[1, 2], [3, 4]], [2])
    refused("count", "has length 3; expected 2", tile, [[1, 2], [3, 4]], [1, 1, 2])


class Dim(c.Structure):
    _fields_ = [("value", c.c_int64), ("symbol", c.c_char_p)]


class Info(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("dtype", c.c_int32),
        ("rank", c.c_int32),
        ("dims", c.POINTER(Dim)),
        ("constant", c.POINTER(library.Tensor)),
        ("shape_value", c.POINTER(Dim)),
        ("shape_value_count", c.c_size_t),
    ]


def inferred_tile(dims: list, repeats: list[int]) -> list:
    """Extents (ints), symbols (strings) or None, in and out."""
    entries = [Dim(d, None) if isinstance(d, int) else Dim(-1, d and d.encode()) for d in dims]
    array = (Dim * len(entries))(*entries)
    data = Info(c.sizeof(Info), 1, len(dims), array)
    view = library.View(np.array(repeats, dtype=np.int64), "int64")
    constant = Info(c.sizeof(Info), 0, -1, None, c.pointer(view.tensor))
    infos = (c.POINTER(Info) * 2)(c.pointer(data), c.pointer(constant))
    handle = c.c_void_p()
    op = library.Op("Tile", 13, {})
    library.call("tesela_op_infer", op.handle, c.c_size_t(2), infos, c.byref(handle))
    out = Info(struct_size=c.sizeof(Info))
    library.LIBRARY.tesela_inferred_info(handle, c.byref(out))
    found = [
        out.dims[d].value
        if out.dims[d].value >= 0
        else (out.dims[d].symbol or b"").decode() or None
        for d in range(out.rank)
    ]
    library.LIBRARY.tesela_inferred_destroy(handle)
    return found


def test_04_repeat_of_one_keeps_a_symbol_and_zero_empties_it():
    assert inferred_tile([2, "n"], [2, 1]) == [4, "n"]
    assert inferred_tile([2, "n"], [2, 0]) == [4, 0]
    assert inferred_tile([2, "n"], [2, 3]) == [4, None]
    assert inferred_tile([2, None], [1, 2]) == [2, None]


def test_05_an_extent_that_would_wrap_to_2_is_an_error():
    refused("shape", "overflows int64", tile, [1, 2, 3], [6148914691236517206])


# --- ConstantOfShape -----------------------------------------------------------------------------


def test_06_no_entries_give_a_scalar_and_an_entry_of_0_gives_empty():
    value = np.array([7], dtype=np.float32)
    scalar = library.run(FillCase([], value))
    assert scalar.shape == () and scalar == 7
    assert library.run(FillCase([0], value)).shape == (0,)
    assert library.run(FillCase([2, 0, 3], value)).shape == (2, 0, 3)


class FileOptions(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("format", c.c_int),
        ("dtype", c.c_int32),
        ("entry", c.c_char_p),
        ("name", c.c_char_p),
        ("limits", c.c_void_p),
        ("jpeg_quality", c.c_int32),
    ]


def filled_from(proto: TensorProto) -> np.ndarray:
    """ConstantOfShape [2] with a `value` read from a TensorProto's bytes."""
    data = proto.SerializeToString()
    protobuf = 3
    options = FileOptions(c.sizeof(FileOptions), protobuf)
    value = c.c_void_p()
    library.call(
        "tesela_value_read_memory",
        data,
        c.c_size_t(len(data)),
        c.byref(options),
        c.byref(value),
        None,
    )
    view = library.Tensor()
    library.LIBRARY.tesela_value_view(value, c.byref(view))
    op = library.Op("ConstantOfShape", 25, {})
    library.call("tesela_op_set_tensor", op.handle, b"value", c.byref(view))
    library.LIBRARY.tesela_value_destroy(value)
    return library.Plan(op, [(np.array([2]), "int64")]).run(None)


def proto(data_type: int, dims=(1,), **fields) -> TensorProto:
    return TensorProto(data_type=data_type, dims=dims, **fields)


def test_07_float16_is_written_as_its_bits():
    assert filled_from(proto(TensorProto.FLOAT16, int32_data=[15872])).tolist() == [1.5, 1.5]
    found = filled_from(proto(TensorProto.BFLOAT16, int32_data=[16320]))
    assert found.astype(np.float32).tolist() == [1.5, 1.5]


def test_08_int4_is_a_nibble_with_a_sign():
    for fields in ({"int32_data": [13]}, {"raw_data": b"\x0d"}, {"raw_data": b"\xad"}):
        found = filled_from(proto(TensorProto.INT4, **fields))
        assert found.astype(np.int64).tolist() == [-3, -3], fields


def test_09_uint32_is_stored_in_uint64_data():
    assert filled_from(proto(TensorProto.UINT32, uint64_data=[7])).tolist() == [7, 7]
    with pytest.raises(TeselaError):
        filled_from(proto(TensorProto.UINT32, int32_data=[7]))


def test_10_a_value_of_one_element_may_have_any_rank():
    for dims in ((), (1,), (1, 1)):
        assert filled_from(proto(TensorProto.FLOAT, dims, float_data=[2.5])).tolist() == [2.5, 2.5]


def test_11_an_empty_tensor_does_not_overflow():
    plan = library.plan(FillCase([0, 2**40, 2**40]))
    assert plan.shape == (0, 2**40, 2**40)


# --- Extents -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "n, scale, m", [(10, 0.7, 6), (5, 1.4, 6), (100, 0.29, 28), (49, 1 / 49, 0)]
)
def test_12_the_extent_is_the_floor_of_a_double_product(n, scale, m):
    assert resize(np.zeros(n), scales=[scale]).shape == (m,)


def test_13_the_roi_does_not_shrink_the_output():
    assert resize(FOUR, scales=[2], roi=[0.25, 0.75], **CROP).shape == (8,)


def test_14_the_scale_given_is_not_recomputed():
    near(resize(FOUR, scales=[0.6])[1:], [3.0])
    near(resize(FOUR, sizes=[2])[1:], [3.5])


def test_15_align_corners_counts_with_a_length_of_2_4():
    near(resize(FOUR, scales=[0.6], **ALIGN), [1, 3.142857])


def test_16_align_corners_of_one_output_takes_the_first_sample():
    for mode in ("nearest", "linear", "cubic"):
        assert resize(FOUR, mode, sizes=[1], **ALIGN).tolist() == [1]


def test_17_pytorch_half_pixel_of_one_output_looks_at_0():
    pytorch = {"coordinate_transformation_mode": "pytorch_half_pixel"}
    assert resize(FOUR, "cubic", sizes=[1], **pytorch).tolist() == [1]
    near(resize(FOUR, "cubic", scales=[0.3], **pytorch), [1.0])


# --- Rounding of positions -----------------------------------------------------------------------


def test_18_ties_go_where_the_mode_says():
    x = range(20)
    assert resize(x, "nearest", sizes=[6], nearest_mode="round_prefer_floor")[1] == 4
    assert resize(x, "nearest", sizes=[6], nearest_mode="round_prefer_ceil")[1] == 5


def test_19_ties_do_not_go_away_from_zero():
    floor = resize(range(5), "nearest", scales=[2], nearest_mode="round_prefer_floor", **ASYMMETRIC)
    ceil = resize(range(5), "nearest", scales=[2], nearest_mode="round_prefer_ceil", **ASYMMETRIC)
    assert floor.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert ceil.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4, 4]


@pytest.mark.parametrize("rounding", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
def test_20_positions_below_zero_take_the_first_sample(rounding):
    # x = -0.4, -0.2 for i = 0, 1
    found = resize(FOUR, "nearest", scales=[5], nearest_mode=rounding)
    assert found[:2].tolist() == [1, 1]


def test_21_positions_are_not_binary32():
    found = resize(range(14), "nearest", sizes=[2], nearest_mode="floor", **ASYMMETRIC)
    assert found.tolist() == [0, 7]


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_22_a_position_just_above_an_integer_is_that_integer(mode):
    for rounding in ("round_prefer_floor", "round_prefer_ceil", "floor"):
        assert resize(range(7), mode, sizes=[17], nearest_mode=rounding)[8] == 3


def test_23_dividing_is_not_multiplying_by_the_reciprocal():
    found = resize([0, 1], "nearest", sizes=[98], nearest_mode="floor", **ASYMMETRIC)
    assert found[49] == 1 and found[48] == 0


# --- Versions ------------------------------------------------------------------------------------


def test_24_resize_10_shrinks_by_ceil():
    assert resize(FOUR, "nearest", scales=[0.6], since_version=10).tolist() == [1, 3]
    assert resize(FOUR, "nearest", scales=[0.75], since_version=10).tolist() == [1, 3, 4]
    grown = resize(FOUR, "nearest", scales=[1.5], since_version=10)
    assert grown.tolist() == [1, 1, 2, 3, 3, 4]


def test_25_resize_10_is_asymmetric_and_11_is_half_pixel():
    assert resize([1, 2], scales=[2], since_version=10).tolist() == [1, 1.5, 2, 2]
    assert resize([1, 2], scales=[2], since_version=11).tolist() == [1, 1.25, 1.75, 2]


def test_26_an_empty_tensor_is_an_absent_input():
    x = (np.array(FOUR, dtype=np.float32), "float")
    empty = (np.zeros(0, dtype=np.float32), "float")
    no_sizes = (np.zeros(0, dtype=np.int64), "int64")
    scales, sizes = (np.array([2], dtype=np.float32), "float"), (np.array([8]), "int64")

    def shape(version, *inputs):
        return library.Plan(library.Op("Resize", version, {}), [x, *inputs]).shape

    assert shape(11, empty, empty, sizes) == shape(11, empty, scales) == (8,)
    assert (
        shape(13, None, None, sizes)
        == shape(13, None, scales)
        == shape(13, None, scales, None)
        == (8,)
    )
    assert shape(13, empty, empty, sizes) == shape(13, empty, scales, no_sizes) == (8,)
    refused("count", "expected exactly one", shape, 13, empty, empty, no_sizes)


def test_27_an_unchanged_extent_is_no_copy():
    near(resize([0, 1, 2], scales=[1.3]), [0, 0.6538462, 1.4230769])


# --- Crop ----------------------------------------------------------------------------------------


def test_28_a_crop_of_the_same_size_is_no_copy():
    assert resize(FOUR, sizes=[4], roi=[0.25, 0.75], **CROP).tolist() == [1.75, 2.25, 2.75, 3.25]


def test_29_a_crop_to_one_output_takes_its_centre():
    near(resize(FOUR, sizes=[1], roi=[0.2, 0.4], **CROP), [1.9])


def test_30_extrapolation_tests_the_position_and_not_the_pixel():
    found = resize(FOUR, "nearest", sizes=[5], roi=[-0.5, 1.5], extrapolation_value=9.0, **CROP)
    assert found.tolist() == [9, 1, 2, 4, 9]


def test_31_a_full_crop_ends_on_the_last_sample():
    for mode in ("nearest", "linear", "cubic"):
        found = resize(range(11), mode, sizes=[15], roi=[0, 1], extrapolation_value=-99.0, **CROP)
        assert found[14] == 10
    for n in range(2, 40):
        for m in range(2, 60):
            x = np.arange(n, dtype=np.float32)
            case = ResizeCase(x, mode="linear", sizes=[m], extrapolation_value=-99.0, **CROP)
            assert library.run(case)[-1] == n - 1, (n, m)


def test_32_the_roi_lists_all_starts_and_then_all_ends():
    x = np.arange(16.0).reshape(4, 4)
    # Rows from 1 to 2, columns from 0 to 1.
    roi = {"sizes": [2, 2], **CROP}
    near(resize(x, roi=[1 / 3, 0, 2 / 3, 1 / 3], **roi), [[4, 5], [8, 9]])
    near(resize(x, roi=[0, 1 / 3, 1 / 3, 2 / 3], axes=[1, 0], **roi), [[4, 5], [8, 9]])
    assert resize(x, "nearest", roi=[0, 1 / 3, 1 / 3, 2 / 3], axes=[1, 0], **roi).shape == (2, 2)


def test_33_a_reversed_roi_flips():
    for mode in ("nearest", "linear", "cubic"):
        assert resize(FOUR, mode, sizes=[4], roi=[1, 0], **CROP).tolist() == [4, 3, 2, 1]


# --- Weights -------------------------------------------------------------------------------------


def test_34_exclude_outside_normalises_what_is_left():
    found = resize(TENS, "cubic", scales=[2], exclude_outside=1)
    near(found[:4], [8.636364, 11.731449, 16.45283, 22.96875])
    near(resize(TENS, "cubic", scales=[2])[:1], [8.9453125])


def test_35_antialias_normalises_always():
    near(resize(TENS, sizes=[3], antialias=1), [12.727273, 25, 37.272727])
    near(resize(TENS, sizes=[3], antialias=1, exclude_outside=1), [13, 25, 37])
    near(resize(np.full(8, 5.0), sizes=[6], antialias=1), [5.0] * 6)


def test_36_antialias_does_not_narrow_the_filter_of_what_grows():
    for mode in ("linear", "cubic"):
        plain = resize(TENS, mode, scales=[2.5])
        assert resize(TENS, mode, scales=[2.5], antialias=1).tobytes() == plain.tobytes()


def test_37_antialias_at_whole_positions():
    near(resize([1, 2, 3, 4, 5], sizes=[3], antialias=1, **ALIGN), [1.2222222, 3, 4.7777778])


def test_38_each_axis_has_a_width_of_its_own():
    x = [[1, 2, 3, 4], [5, 6, 7, 8]]
    found = resize(x, scales=[2, 0.6], antialias=1)
    near(found[:2], [[1.375, 3.0], [2.375, 4.0]])


# --- keep_aspect_ratio_policy --------------------------------------------------------------------


def test_39_policy_rounds_halves_up():
    found = resize(np.zeros((10, 5)), sizes=[5, 10], keep_aspect_ratio_policy="not_larger")
    assert found.shape == (5, 3)


def test_40_policy_scales_by_its_one_scale():
    x = np.arange(1.0, 22.0).reshape(3, 7)
    near(resize(x, sizes=[2, 2], keep_aspect_ratio_policy="not_larger"), [[11, 14.5]])
    near(resize(x, sizes=[1, 2]), [[9.25, 12.75]])


def test_41_policy_without_axes_scales_the_batch_too():
    x = np.zeros((1, 1, 3, 7))
    found = resize(x, sizes=[1, 1, 6, 7], keep_aspect_ratio_policy="not_smaller")
    assert found.shape == (2, 2, 6, 14)


def test_42_policy_counts_exactly():
    found = resize(np.zeros((100, 50)), sizes=[29, 50], keep_aspect_ratio_policy="not_larger")
    assert found.shape == (29, 15)


# --- Element types -------------------------------------------------------------------------------


def test_43_integers_are_rounded_and_not_cut():
    assert resize([0, 3], dtype="uint8", scales=[2]).tolist() == [0, 1, 2, 3]


def test_44_integers_saturate():
    assert resize([0, 255], "cubic", "uint8", scales=[2]).tolist() == [0, 58, 197, 255]


def test_45_the_largest_integers_move_as_they_are():
    top = 2**63 - 1
    assert resize([top, 1], "nearest", "int64", scales=[2]).tolist() == [top, top, 1, 1]
    assert resize([top], "linear", "int64", scales=[2]).tolist() == [top, top]


def test_46_infinity_with_weight_zero_is_ignored():
    assert resize([INF, 1], "nearest", scales=[2]).tolist() == [INF, INF, 1, 1]
    found = resize([1, INF, 3], sizes=[5], **ALIGN)
    assert found.tolist() == [1, INF, INF, INF, 3]


def test_47_float16_overflows_to_infinity():
    found = resize([0, 65504, 65504, 0], "cubic", "float16", scales=[2])
    assert found[3] == found[4] == INF


# --- Axes and refusals ---------------------------------------------------------------------------


def test_48_axes_may_be_negative_and_in_any_order():
    assert resize([[1, 2], [3, 4]], "nearest", scales=[2], axes=[-1]).shape == (2, 4)
    x = np.arange(4.0).reshape(1, 1, 2, 2)
    found = resize(x, "nearest", sizes=[2, 3], axes=[3, 2])
    assert found.tolist() == [[[[0, 1], [0, 1], [2, 3]]]]


def test_49_empty_axes_do_not_divide_by_zero():
    for mode in ("nearest", "linear", "cubic"):
        assert resize(FOUR, mode, sizes=[0]).shape == (0,)
        assert resize(np.zeros((0, 3)), mode, scales=[2, 2]).shape == (0, 6)
        assert resize(np.zeros((0, 3)), mode, sizes=[0, 2], **ALIGN).shape == (0, 2)
        assert resize(np.zeros(2), mode, sizes=[0], **CROP).shape == (0,)


def test_50_coordinate_modes_of_other_versions_are_errors():
    x = (np.zeros(4, dtype=np.float32), "float")
    scales = (np.array([2], dtype=np.float32), "float")
    for version, mode in [
        (11, "half_pixel_symmetric"),
        (13, "half_pixel_symmetric"),
        (18, "half_pixel_symmetric"),
    ]:
        op = library.Op("Resize", version, {"coordinate_transformation_mode": mode})
        words = (
            f"Resize-{version}: attribute 'coordinate_transformation_mode' is '{mode}'; expected"
        )
        refused("attribute", words, library.Plan, op, [x, None if version > 11 else scales, scales])


@pytest.mark.parametrize("version", [11, 13, 18, 19])
def test_50_tf_half_pixel_for_nn_has_one_rule_in_every_version(version):
    mode = {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"}
    found = resize(FOUR, "nearest", sizes=[2], since_version=version, **mode)
    assert found.tolist() == [2, 4]
    found = resize(FOUR, "linear", scales=[2], since_version=version, **mode)
    assert found.tolist() == [1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4, 4]


def test_53_exclude_outside_drops_no_pixel_of_nearest():
    found = resize(FOUR, "nearest", scales=[2], nearest_mode="floor", exclude_outside=1)
    assert found.tolist() == [1, 1, 1, 2, 2, 3, 3, 4]
