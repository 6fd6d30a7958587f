# SPDX-License-Identifier: Apache-2.0
"""JAX: arrays keep dtype and device and are never written; tracers are rejected."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"  # before JAX reads it

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tesela

DTYPES = ["bool_", "int8", "uint8", "int32", "uint32", "float16", "bfloat16", "float32", "complex64"]
FEW_BITS = ["int4", "uint4", "int2", "float4_e2m1fn", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]


@pytest.mark.parametrize("dtype", DTYPES + FEW_BITS)
def test_arrays_keep_their_dtype(dtype):
    x = jnp.ones((2, 3), dtype=getattr(jnp, dtype))
    result = tesela.tile(x, (2, 2), dialect="openvino" if dtype in FEW_BITS else None)
    assert type(result) is type(x) and result.dtype == x.dtype and result.shape == (4, 6)
    assert bool((result == 1).all())


def test_64_bits_are_kept():
    with jax.enable_x64(True):
        doubles, longs = jnp.ones(3), jnp.full(3, 2**40)
        assert doubles.dtype == jnp.float64 and tesela.tile(doubles, (2,)).dtype == jnp.float64
    assert tesela.tile(doubles, (2,)).dtype == jnp.float64
    assert np.asarray(tesela.tile(longs, (2,))).tolist() == [2**40] * 6


def test_arrays_are_read_in_place_and_never_written():
    x = jnp.arange(4.0)
    array = tesela._libraries.read(x)
    assert array.__array_interface__["data"][0] == x.unsafe_buffer_pointer() and not array.flags.writeable
    frozen = jnp.zeros((4, 4))
    for given in (jnp.ones((2, 2)), np.ones((2, 2), np.float32)):
        with pytest.raises(tesela.UsageError, match="JAX array, which is immutable"):
            tesela.resize(given, (4, 4), out=frozen)
    assert not frozen.any()
    out = np.zeros(8, np.float32)
    assert tesela.tile(x, (2,), out=out) is out and out.tolist() == [0, 1, 2, 3] * 2


def test_results_are_on_the_device_of_their_input():
    first, second = jax.devices()
    for device in (first, second):
        assert tesela.tile(jax.device_put(jnp.ones(2), device), (2,)).devices() == {device}
    mesh = jax.sharding.Mesh(np.array([first, second]), ("part",))
    spread = jax.device_put(jnp.ones(4), jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("part")))
    with pytest.raises(tesela.UnsupportedError, match=r"jax.device_put\(x, jax.devices\('cpu'\)\[0\]\)"):
        tesela.tile(spread, (2,))


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, lambda function: jax.grad(lambda x: function(x).sum())])
def test_tracers_are_refused(transform):
    x = jnp.ones((2, 2))
    with pytest.raises(tesela.UnsupportedError, match="pure_callback") as caught:
        transform(lambda row: tesela.tile(row, (2,) * row.ndim))(x)
    assert len(str(caught.value)) <= 300


def test_callbacks_work_under_tracing():
    def tiled(x):
        plan = tesela.plan("tile", x, repeats=(2,))  # shapes are known while tracing
        shape = jax.ShapeDtypeStruct(plan.output_shape, x.dtype)
        return jax.pure_callback(lambda x: tesela.tile(x, (2,)), shape, x, vmap_method="sequential")

    assert jax.jit(tiled)(jnp.arange(2.0)).tolist() == [0, 1, 0, 1]
    assert jax.vmap(tiled)(jnp.ones((3, 2))).shape == (3, 4)


def test_arrays_without_data_are_rejected():
    gone = jnp.ones(3) + 1
    gone.delete()
    for x, words in [(gone, "deleted or donated"), (jax.random.key(0), r"jax.random.key_data\(x\)"),
                     (jax.ShapeDtypeStruct((3,), jnp.float32), "is not an array")]:
        with pytest.raises(tesela.Error, match=words):
            tesela.tile(x, (2,) * len(x.shape))
