# SPDX-License-Identifier: Apache-2.0
"""TensorFlow: results are eager tensors; variables are read as values; symbolic tensors and gradients are rejected."""

import numpy as np
import pytest
import tensorflow as tf
import tesela

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32",
          "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_keep_their_dtype(dtype):
    x = tf.reshape(tf.cast(tf.range(6), dtype), (2, 3))
    result = tesela.tile(x, (2, 2))
    assert isinstance(result, tf.Tensor) and result.dtype == x.dtype
    assert np.array_equal(result.numpy(), np.tile(x.numpy(), (2, 2)))
    assert "CPU" in result.device


def test_bool_strings_scalars_and_empty_ones():
    assert tesela.tile(tf.constant([True, False]), (2,)).numpy().tolist() == [True, False] * 2
    assert tesela.tile(tf.constant(["a", "b"]), (2,)).numpy().tolist() == [b"a", b"b"] * 2
    assert float(tesela.tile(tf.constant(3.0), ())) == 3 and tesela.tile(tf.ones((0, 3)), (2, 2)).shape == (0, 6)


def test_results_are_ordinary_tensors():
    x = tf.random.uniform((3, 5))
    plan = tesela.plan("resize", x, sizes=(7, 4), mode="linear")
    expected = tesela.resize(x.numpy(), sizes=(7, 4), mode="linear")
    for result in (tesela.resize(x, sizes=(7, 4), mode="linear"), plan(x)):
        assert np.array_equal(result.numpy(), expected)
        assert tf.matmul(result, tf.ones((4, 1))).shape == (7, 1)
    large = tesela.resize(tf.ones((1000, 1000)), sizes=(2000, 2000))
    assert float(tf.reduce_sum(large)) == 4e6


def test_variables_are_read_as_tensors():
    for variable in (tf.Variable([1.0, 2.0]), tf.keras.Variable(np.float32([1, 2]))):
        result = tesela.tile(variable, (2,))
        assert isinstance(result, tf.Tensor) and result.numpy().tolist() == [1, 2, 1, 2]


def test_tensors_are_never_written():
    for out, cure in [(tf.zeros(4), "leave out 'out'"), (tf.Variable([0.0] * 4), r"out.assign\(\.\.\.\)"),
                      (tf.keras.Variable(np.zeros(4, np.float32)), r"Keras.*out.assign\(\.\.\.\)")]:
        with pytest.raises(tesela.UsageError, match=cure):
            tesela.tile(np.ones(2, np.float32), (2,), out=out)
        assert not tf.convert_to_tensor(out).numpy().any()


def test_tensors_with_gradients_are_rejected():
    x, variable = tf.ones(3), tf.Variable(tf.ones(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        for watched in (x, variable, x * 2):
            with pytest.raises(tesela.UsageError, match=r"tf.stop_gradient\(x\)"):
                tesela.tile(watched, (2,))
        assert tesela.tile(tf.stop_gradient(x), (2,)).shape == (6,)
        assert tesela.tile(tf.ones(3), (2,)).shape == (6,)


def test_symbolic_tensors_are_rejected_and_callbacks_work():
    with pytest.raises(Exception, match="UnsupportedError: .*symbolic.*tf.numpy_function"):  # which TensorFlow puts into its own
        tf.function(lambda x: tesela.tile(x, (2,)))(tf.ones(3))
    through = tf.function(lambda x: tf.numpy_function(lambda x: tesela.tile(x, (2,)), [x], tf.float32))
    assert through(tf.ones(3)).shape == (6,)
    with pytest.raises(tesela.ElementTypeError, match="symbolic"):
        tesela.tile(tf.keras.Input((3,)), (2, 2))


@pytest.mark.parametrize("make, words", [
    (lambda: tf.ragged.constant([[1.0], [1.0, 2.0]]), r"ragged; pass x.to_tensor\(\)"),
    (lambda: tf.sparse.from_dense(tf.ones((2, 2))), r"sparse; pass tf.sparse.to_dense\(x\)"),
    (lambda: tf.IndexedSlices(tf.ones((1, 2)), tf.range(1)), "set of slices; pass tf.convert_to_tensor"),
    (lambda: tf.quantization.quantize([[1.0]], 0, 1, tf.qint8).output, "holds qint8; pass tf.quantization.dequantize")])
def test_other_tensor_kinds_are_rejected(make, words):
    with pytest.raises(tesela.ElementTypeError, match=words):
        tesela.tile(make(), (2, 2))
