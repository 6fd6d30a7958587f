# SPDX-License-Identifier: Apache-2.0
"""OpenCV and NumPy. On planes they do the same operation; on channels-last copies a different one."""

from __future__ import annotations

import buffers
import numpy as np
from runner import Job, Runner, Unable


def planes(array: np.ndarray) -> np.ndarray:
    """[.., h, w] -> [n, h, w]"""
    return array.reshape(-1, *array.shape[-2:])


def need_image(workload) -> None:
    """Whether the last two axes change, or those before the channels of a channels-last image."""
    rank = len(workload.source)
    if workload.operator != "Resize" or workload.resized not in ([rank - 2, rank - 1], [rank - 3, rank - 2]):
        raise Unable("two neighbouring axes at the end")
    if not workload.is_dense:
        raise Unable("no strides")
    if workload.roi:
        raise Unable("crops with positions of their own")


def is_interleaved(workload) -> bool:
    return workload.resized[-1] < len(workload.source) - 1


# ---- OpenCV --------------------------------------------------------------------------------------------------------


def opencv_flags(workload) -> list[int]:
    import cv2

    if workload.mode == "nearest":
        return [cv2.INTER_NEAREST, cv2.INTER_NEAREST_EXACT]
    if workload.antialias or workload.coordinates != "half_pixel":
        raise Unable("no antialias, no align_corners")
    return [cv2.INTER_CUBIC if workload.mode == "cubic" else cv2.INTER_LINEAR]


def opencv(job: Job) -> list[Runner]:
    import cv2

    workload = job.workload
    need_image(workload)
    if job.x.dtype not in (np.uint8, np.int16, np.uint16, np.float32, np.float64):
        raise Unable(f"no {workload.dtype}")
    cv2.setNumThreads(job.threads)
    # 8 bits are computed in fixed point.
    exact = workload.mode == "nearest" or workload.dtype != "uint8"
    pairs = list(zip(job.x, job.y)) if is_interleaved(workload) else list(zip(planes(job.x), planes(job.y)))
    runners = []
    for flag in opencv_flags(workload):
        runners.append(Runner("opencv", resized(pairs, flag), lambda: job.y, exact))
        runners += opencv_interleaved(job, flag)
    try:
        for runner in runners:
            runner.call()
    except cv2.error as error:
        raise Unable(str(error).strip()[:100]) from None
    return runners


def opencv_interleaved(job: Job, flag: int) -> list[Runner]:
    """The same pixels with channels last, OpenCV's own layout, copied before the timing."""
    if is_interleaved(job.workload) or len(job.workload.source) != 4 or job.workload.source[1] not in (3, 4):
        return []
    x = buffers.copy(np.ascontiguousarray(job.x.transpose(0, 2, 3, 1)))
    y = buffers.empty([job.workload.target[axis] for axis in (0, 2, 3, 1)], job.y.dtype)
    call = resized(list(zip(x, y)), flag)
    return [Runner("opencv interleaved", call, lambda: y.transpose(0, 3, 1, 2), same=False)]


def resized(pairs: list, flag: int):
    import cv2

    size = pairs[0][1].shape[1::-1]
    resize = cv2.resize

    def call():
        for x, y in pairs:
            resize(x, size, y, 0, 0, flag)

    return call


# ---- NumPy ---------------------------------------------------------------------------------------------------------


def numpy(job: Job) -> list[Runner]:
    workload = job.workload
    if workload.dtype in ("int4", "string"):
        raise Unable(f"no {workload.dtype}")
    if not workload.is_dense:
        raise Unable("its reshape copies")
    if workload.roi:
        raise Unable("copies only")
    if job.x is None:
        value = np.array(workload.value).astype(job.y.dtype)
        return [Runner("numpy", lambda: job.y.fill(value), lambda: job.y)]
    if workload.operator == "Resize" and (workload.mode != "nearest" or any(
            m % n for n, m in zip(workload.source, workload.target))):
        raise Unable("copies only")
    factors = [m // n for n, m in zip(workload.source, workload.target)]
    order = (lambda n, k: (k, n)) if workload.operator == "Tile" else (lambda n, k: (n, k))
    y = job.y.reshape([extent for n, k in zip(workload.source, factors) for extent in order(n, k)])
    x = job.x.reshape([extent for n in workload.source for extent in order(n, 1)])
    return [Runner("numpy", lambda: np.copyto(y, x), lambda: job.y)]


MAKERS = (opencv, numpy)
