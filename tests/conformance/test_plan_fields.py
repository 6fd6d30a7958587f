# SPDX-License-Identifier: Apache-2.0
"""Plan fields that change positions give the same bits for every backend, thread count and region."""

import library
import numpy as np
import pytest

MODES = [
    {"mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"},
    {"mode": "nearest", "nearest_mode": "round_prefer_ceil"},
    {"mode": "linear"},
    {"mode": "linear", "antialias": 1, "exclude_outside": 1},
    {"mode": "cubic", "cubic_coeff_a": -0.5},
    {"mode": "cubic", "antialias": 1},
]


def random_case(rng):
    """(x's shape, sizes, scales): the sizes are the extents from scales, rounded down or to nearest."""
    shape = tuple(int(n) for n in rng.integers(1, 80, 3))
    scales = tuple(max(float(np.round(rng.uniform(0.1, 3), int(rng.integers(1, 17)))), 1.01 / n) for n in shape)
    cut = int if rng.random() < 0.5 else round
    return shape, [cut(n * s) for n, s in zip(shape, scales)], scales


@pytest.mark.parametrize("coordinates", [None, "float32", "float64", "reciprocal64", "rounded64"])
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_backends_threads_and_regions_agree(mode, coordinates):
    rng = np.random.default_rng(sum(str(mode).encode()) + len(coordinates or ""))
    for dtype in ("float", "uint8", "double"):
        for _ in range(6):
            shape, sizes, scales = random_case(rng)
            x = (rng.random(shape) * 255).astype(library.NUMPY_TYPES[dtype])
            fields = {"tesela.position_scales": ",".join(map(repr, scales))}
            if coordinates is not None:
                fields["tesela.coordinates"] = coordinates
            op = library.Op("Resize", 19, mode | fields)
            plan = library.Plan(op, [(x, dtype), None, None, (np.array(sizes, np.int64), "int64")])
            whole = plan.run(x, backend=1)
            assert whole.shape == tuple(sizes)
            for threads in (1, 3):
                assert plan.run(x, threads=threads).tobytes() == whole.tobytes()
            lo = tuple(int(rng.integers(0, n)) for n in sizes)
            extents = tuple(int(rng.integers(1, n - a + 1)) for n, a in zip(sizes, lo))
            x_lo, x_extents = plan.input_region(lo, extents)
            box = np.ascontiguousarray(x[tuple(slice(a, a + n) for a, n in zip(x_lo, x_extents))])
            part = plan.run_region(box, x_lo, lo, extents)
            assert np.array_equal(part, whole[tuple(slice(a, a + n) for a, n in zip(lo, extents))])
