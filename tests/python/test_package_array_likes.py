# SPDX-License-Identifier: Apache-2.0
"""Array-likes of NumPy and Python: subclasses, masks, buffers; and pandas."""

import array

import numpy as np
import pandas as pd
import pytest
import tesela


class Measured(np.ndarray):
    """A subclass with an attribute."""

    unit = None

    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", None)


def masked(values, mask):
    return np.ma.array(values, mask=mask, fill_value=-7)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_and_their_attributes_are_kept():
    x = np.arange(4.0).view(Measured)
    x.unit = "m"
    plan = tesela.plan("resize", x, sizes=(8,), mode="linear")
    for y in (tesela.resize(x, sizes=(8,), mode="linear"), plan(x), tesela.tile(x, (2,))):
        assert type(y) is Measured and y.unit == "m" and y.shape == (8,)
    assert type(tesela.tile(np.matrix([[1, 2]]), (2, 1))) is np.matrix
    assert type(tesela.tile(np.matrix([[1, 2]]), (2, 1, 1), dialect="openvino")) is np.ndarray


def test_masks_are_moved_with_their_elements():
    x = masked([[1, 2], [3, 4]], [[0, 1], [0, 0]])
    tiled = tesela.tile(x, (2, 1))
    assert tiled.tolist() == [[1, None], [3, 4], [1, None], [3, 4]] and tiled.fill_value == -7
    assert tesela.resize(x, sizes=(2, 4)).tolist() == [[1, 1, None, None], [3, 3, 4, 4]]
    assert tesela.plan("tile", x, repeats=(1, 2))(x).tolist() == [[1, None, 1, None], [3, 4, 3, 4]]
    beside = tesela.resize(x, sizes=(2, 3), roi=(0, -1, 1, 1), mode="nearest", extrapolation_value=9,
                           coordinate_transformation_mode="tf_crop_and_resize")
    assert beside.tolist() == [[9, 1, None], [9, 3, 4]]
    assert np.ma.is_masked(tesela.tile(np.ma.masked, ())) and tesela.tile(np.ma.array(["a", "b"], mask=[0, 1]), (1,)).tolist() == ["a", None]
    with pytest.raises(tesela.ElementTypeError, match="not one of ONNX's"):
        tesela.tile(np.ma.array([(1, 2)], dtype="i4,i4"), (2,))


@pytest.mark.parametrize("call", [dict(mode="linear"), dict(mode="cubic", antialias=True), dict(like="opencv:linear")], ids=str)
def test_masked_elements_are_not_interpolated(call):
    with pytest.raises(tesela.ElementTypeError, match=r"masked elements.*x.filled\(value\), or mode='nearest'"):
        tesela.resize(masked([[1.0, 2.0]], [[0, 1]]), sizes=(1, 4), **call)
    unmasked = tesela.resize(masked([[1.0, 2.0]], False), sizes=(1, 4), mode="linear")
    assert type(unmasked) is np.ma.MaskedArray and unmasked.tolist() == [[1.0, 1.25, 1.75, 2.0]]


def test_masks_in_outputs_and_models_are_rejected():
    x = masked([1.0, 2.0], [0, 1])
    with pytest.raises(tesela.UsageError, match="mask"):
        tesela.tile(x, (1,), out=np.zeros(2))
    with pytest.raises(tesela.UsageError, match="out.data"):
        tesela.tile(np.zeros(2), (1,), out=x)
    with pytest.raises(tesela.ElementTypeError, match="filled"):
        tesela._libraries.read(x)


@pytest.mark.parametrize("buffer", [
    memoryview(b"abc"), bytearray(b"abc"), array.array("B", b"abc"), memoryview(np.frombuffer(b"a-b-c", np.uint8)[::2])])
def test_buffers_are_read(buffer):
    assert tesela.tile(buffer, (2,)).tolist() == [97, 98, 99] * 2


@pytest.mark.parametrize("out", [bytearray(4), array.array("B", bytes(4)), memoryview(bytearray(4))], ids=lambda out: type(out).__name__)
def test_buffers_are_written(out):
    assert tesela.tile(np.uint8([1, 2]), (2,), out=out) is out
    assert bytes(out) == b"\1\2\1\2"


def test_outputs_that_share_memory_with_themselves():
    ones, strided = np.ones((2, 2)), np.lib.stride_tricks.as_strided
    for out in (strided(np.zeros(8), (2, 4), (8, 8)), strided(np.zeros(8), (2, 4), (0, 8)), strided(np.zeros(8), (2, 4), (4, 8))):
        with pytest.raises(tesela.UsageError, match="share memory"):
            tesela.tile(ones, (1, 2), out=out)
    for out in (np.zeros((4, 2)).T, np.zeros((2, 8))[::-1, ::2], strided(np.zeros(16), (2, 4), (24, 16))):
        assert tesela.tile(ones, (1, 2), out=out).tolist() == [[1] * 4] * 2


def test_outputs_that_cannot_be_written_are_refused_by_name():
    for out, error, words in [(memoryview(bytes(4)), tesela.UsageError, "read-only"), (b"1234", tesela.UsageError, "read-only"),
                              ([0] * 4, tesela.ElementTypeError, "out is a list"), (5, tesela.ElementTypeError, "out is a int")]:
        with pytest.raises(error, match=words):
            tesela.tile(np.uint8([1, 2]), (2,), out=out)


@pytest.mark.parametrize("x", [None, {1, 2}, object(), [[1], [1, 2]]], ids=lambda x: type(x).__name__)
def test_error_names_type_that_is_not_an_array(x):
    with pytest.raises(tesela.ElementTypeError, match=f"a {type(x).__name__} is not an array"):
        tesela.tile(x, (2,))


def test_pandas_values():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    assert tesela.tile(frame, (1, 2)).tolist() == [[1, 3, 1, 3], [2, 4, 2, 4]]
    assert tesela.plan("tile", frame, repeats=(1, 2)).output_shape == (2, 4)
    assert tesela.resize(pd.Series([1.0, 2.0]), sizes=(4,), mode="linear").tolist() == [1, 1.25, 1.75, 2]
    nullable = tesela.tile(frame.astype("Int16"), (2, 1))
    assert nullable.dtype == np.int16 and nullable.tolist() == [[1, 3], [2, 4]] * 2
    assert tesela.tile(pd.Series(["x", "y"]), (2,)).tolist() == ["x", "y"] * 2


def test_pandas_only_types_are_rejected():
    for x in (pd.DataFrame({"a": [1, None]}, dtype="Int64"), pd.DataFrame({"a": [1], "b": ["x"]}), pd.Series(["x"], dtype="category")):
        with pytest.raises(tesela.ElementTypeError, match="to_numpy"):
            tesela.tile(x, (1,) * x.ndim)
    with pytest.raises(tesela.ElementTypeError, match="is not an array"):
        tesela.tile(pd.NA, (1,))
    with pytest.raises(tesela.ElementTypeError, match="DataFrame of pandas"):
        tesela.tile(np.ones((1, 1)), (1, 1), out=pd.DataFrame([[0.0]]))
