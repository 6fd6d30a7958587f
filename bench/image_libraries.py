# SPDX-License-Identifier: Apache-2.0
"""Image libraries: Pillow, libvips, zimg. They always antialias when an axis shrinks."""

from __future__ import annotations

import ctypes as c
import functools
import pathlib

import buffers
import numpy as np
from images import is_interleaved, need_image, planes
from runner import Job, Runner, Unable


def need_filter(workload) -> None:
    need_image(workload)
    shrinks = any(workload.target[axis] < workload.source[axis] for axis in workload.resized)
    if workload.mode == "nearest" or workload.coordinates != "half_pixel" or (shrinks and not workload.antialias):
        raise Unable("filters of its own")


def interleaved(job: Job) -> list[np.ndarray]:
    """The images of the batch with channels last, copied before the timing."""
    if is_interleaved(job.workload):
        return list(job.x)
    if len(job.workload.source) != 4 or job.workload.source[1] not in (3, 4):
        raise Unable("three or four channels")
    return [buffers.copy(np.ascontiguousarray(image.transpose(1, 2, 0))) for image in job.x]


def in_layout(job: Job, images: list) -> np.ndarray:
    stacked = np.stack(images)
    return stacked if is_interleaved(job.workload) else stacked.transpose(0, 3, 1, 2)


# ---- Pillow --------------------------------------------------------------------------------------------------------


def pillow(job: Job) -> list[Runner]:
    from PIL import Image

    workload = job.workload
    need_filter(workload)
    if workload.mode == "cubic" and workload.cubic_coeff_a != -0.5:
        raise Unable("cubic_coeff_a is -0.5")
    kernel = Image.Resampling.BICUBIC if workload.mode == "cubic" else Image.Resampling.BILINEAR
    if workload.dtype == "uint8":
        sources, shaped = interleaved(job), functools.partial(in_layout, job)
        if sources[0].shape[2] not in (3, 4):
            raise Unable("three or four channels")
    elif workload.dtype == "float" and not is_interleaved(workload):
        sources, shaped = list(planes(job.x)), lambda made: np.stack(made).reshape(workload.target)
    else:
        raise Unable(f"no {workload.dtype}")
    given = [Image.fromarray(source) for source in sources]
    height, width = (workload.target[axis] for axis in workload.resized)
    made = []

    def call():
        made[:] = [image.resize((width, height), kernel) for image in given]

    # Float planes are summed in double; 8-bit images are computed in fixed point, all channels together.
    return [Runner("pillow", call, lambda: shaped([np.asarray(image) for image in made]), workload.dtype == "float")]


# ---- libvips -------------------------------------------------------------------------------------------------------


def vips(job: Job) -> list[Runner]:
    import pyvips

    workload = job.workload
    need_filter(workload)
    if workload.dtype not in ("float", "uint8") or (workload.mode == "cubic" and workload.cubic_coeff_a != -0.5):
        raise Unable(f"no {workload.dtype}, cubic_coeff_a is -0.5")
    sources = interleaved(job)
    bands = sources[0].shape[2]
    kind = "float" if workload.dtype == "float" else "uchar"
    given = [pyvips.Image.new_from_memory(source.data, source.shape[1], source.shape[0], bands, kind)
             for source in sources]
    height, width = (workload.target[axis] for axis in workload.resized)
    kernel = {"linear": "linear", "cubic": "cubic"}[workload.mode]
    made = []

    # gap=0: no box filter before the kernel.
    def call():
        across, down = width / given[0].width, height / given[0].height
        made[:] = [image.resize(across, vscale=down, kernel=kernel, gap=0).write_to_memory() for image in given]

    shape = (height, width, bands)
    result = lambda: in_layout(job, [np.frombuffer(image, job.x.dtype).reshape(shape) for image in made])
    return [Runner("libvips interleaved", call, result, same=False)]


# ---- zimg ----------------------------------------------------------------------------------------------------------

ZIMG_TYPES = {"uint8": 0, "uint16": 1, "float16": 2, "float": 3}
ZIMG_FILTERS = {"nearest": 0, "linear": 1, "cubic": 2}


@functools.cache
def zimg_library() -> c.CDLL:
    folder = pathlib.Path(__file__).resolve().parents[1] / "build" / "bench"
    library = c.CDLL(str(folder / "libzimg_planes.so"))
    library.zimg_planes_create.restype = c.c_void_p
    return library


def padded(height: int, width: int, count: int, dtype) -> np.ndarray:
    """Planes with rows aligned to cache lines, which zimg needs."""
    lanes = 64 // np.dtype(dtype).itemsize
    return buffers.empty((count, height, -(-width // lanes) * lanes), dtype)


def zimg(job: Job) -> list[Runner]:
    workload = job.workload
    need_image(workload)
    if workload.mode != "nearest":
        need_filter(workload)
    if workload.dtype not in ZIMG_TYPES or is_interleaved(workload):
        raise Unable(f"no {workload.dtype}, planes only")
    library = zimg_library()
    source = planes(job.x)
    count, source_height, source_width = source.shape
    height, width = workload.target[-2:]
    x = padded(source_height, source_width, count, source.dtype)
    x[:, :, :source_width] = source
    y = padded(height, width, count, source.dtype)
    a = workload.cubic_coeff_a
    handle = library.zimg_planes_create(
        ZIMG_TYPES[workload.dtype], source_width, source_height, width, height, ZIMG_FILTERS[workload.mode],
        c.c_double(0), c.c_double(-a))
    if not handle:
        raise Unable("refused by zimg")
    strides = lambda array: (
        c.c_void_p(array.ctypes.data), c.c_ssize_t(array.strides[1]), c.c_ssize_t(array.strides[0]))
    arguments = (c.c_void_p(handle), *strides(x), *strides(y), count)

    def call():
        if library.zimg_planes_run(*arguments):
            raise RuntimeError("zimg failed")

    # Always uses one thread. 8-bit images are computed in 16-bit fixed point.
    same = workload.dtype != "uint8" or workload.mode == "nearest"
    result = lambda: y[:, :, :width].reshape(workload.target)
    return [Runner("zimg", call, result, same, keep=(x, y))]


MAKERS = (pillow, vips, zimg)
