# SPDX-License-Identifier: Apache-2.0
"""The cost of one small call in microseconds: Tesela's Python package, OpenCV, PyTorch and NumPy.

`python bench/call_overhead.py` measures the installed libraries: 8 x 8 float32, on one thread, in processor time, the
minimum of several rounds in turns.
"""

import importlib.util
import time

import numpy as np
import tesela

ROUNDS, CALLS = 15, 4000
X = np.random.default_rng(0).random((8, 8), dtype=np.float32)


def calls():
    """Name -> a call that returns a new array."""
    held = tesela.plan("resize", X, sizes=(16, 16), mode="linear")
    known = {
        "tesela.resize linear": lambda: tesela.resize(X, (16, 16), mode="linear", num_threads=1),
        "tesela.Plan linear": lambda: held(X, num_threads=1),
        "tesela.tile": lambda: tesela.tile(X, (2, 2), num_threads=1),
        "numpy.tile": lambda: np.tile(X, (2, 2)),
        "numpy repeat both axes": lambda: X.repeat(2, axis=0).repeat(2, axis=1),
    }
    if importlib.util.find_spec("cv2"):
        import cv2

        cv2.setNumThreads(1)
        known["cv2.resize linear"] = lambda: cv2.resize(X, (16, 16), interpolation=cv2.INTER_LINEAR)
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        image = torch.from_numpy(X)[None, None]
        resize = torch.nn.functional.interpolate
        known["torch interpolate bilinear"] = lambda: resize(image, size=(16, 16), mode="bilinear", align_corners=False)
    return known


def main():
    best = dict.fromkeys(calls(), float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls().items():
            start = time.process_time()
            for _ in range(CALLS):
                call()
            best[name] = min(best[name], (time.process_time() - start) / CALLS * 1e6)
    for name, microseconds in best.items():
        print(f"{name:28} {microseconds:7.2f} us")


if __name__ == "__main__":
    main()
