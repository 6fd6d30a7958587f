# SPDX-License-Identifier: Apache-2.0
"""An exception at each allocation of the plugin gives a status with a message, and the process continues."""

import os
import pathlib
import subprocess
import sys

import pytest

# Throws at the n-th allocation of Tesela's libraries. Allocations of ONNX Runtime are not affected.
FAILING_NEW = r"""
#include <dlfcn.h>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

static std::atomic<long> left = -1;
extern "C" void fail_after(long count) { left = count; }
extern "C" long allocations_left() { return left; }

static void* take(std::size_t size, void* caller) {
  Dl_info info;
  if (left >= 0 && dladdr(caller, &info) && std::strstr(info.dli_fname, "libtesela") && left-- == 0)
    throw std::bad_alloc();
  if (void* block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size) { return take(size, __builtin_return_address(0)); }
void* operator new[](std::size_t size) { return take(size, __builtin_return_address(0)); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
"""

LEAD = """
import ctypes, sys
import numpy as np, onnxruntime
sys.path[:0] = [{here!r}]
import tesela
from test_onnxruntime_provider import make_session, resize_model, tile_model
failing = ctypes.CDLL({library!r})
failing.fail_after.argtypes, failing.allocations_left.restype = [ctypes.c_long], ctypes.c_long

def each_allocation(action):
    faults = 0
    for count in range(100000):
        failing.fail_after(count)
        try:
            action(count)
        except Exception as error:
            assert "out of memory" in str(error), error
            faults += 1
        if failing.allocations_left() >= 0:
            failing.fail_after(-1)
            return faults
        failing.fail_after(-1)
"""

# A new shape each time, so that each run makes a plan; small ones, and some with several threads.
RUNS = """
for threads, columns in ((1, 4), (2, 3000)):
    session = make_session(resize_model(mode="linear"), threads)
    def run(count):
        session.run(None, {"x": np.ones((1, 1, 2 + count, columns), np.float32)})
    assert each_allocation(run) > 5
    x = np.random.default_rng(0).random((1, 1, 5, 7), dtype=np.float32)
    assert np.array_equal(session.run(None, {"x": x})[0], tesela.resize(x, scales=(1, 1, 2, 1.5), mode="linear"))
print("alive")
"""

LOADS = """
import tesela.onnxruntime
tesela.onnxruntime._stops_folding = lambda source: False  # which asks the library, not the plugin
# A provider that cannot look at a node is told in ONNX Runtime's log, and the node is run without it.
assert each_allocation(lambda count: make_session(tile_model(), only_ours=False)) > 0
x = np.ones((2, 2), np.float32)
assert make_session(tile_model()).run(None, {"x": x, "repeats": np.array([2, 1])})[0].shape == (4, 2)
print("alive")
"""

OVERRIDES = """
import onnx, tesela.onnxruntime
def load(count):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    tesela.onnxruntime.override(options)
    return onnxruntime.InferenceSession(tile_model().SerializeToString(), options)
load(0)  # what is made once is
assert each_allocation(load) > 5
x = np.ones((2, 2), np.float32)
assert load(0).run(None, {"x": x, "repeats": np.array([2, 1])})[0].shape == (4, 2)
print("alive")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("failing")
    (folder / "failing.cc").write_text(FAILING_NEW)
    subprocess.run(["g++", "-std=c++20", "-O1", "-shared", "-fPIC", folder / "failing.cc", "-o", folder / "failing.so"], check=True)
    return str(folder / "failing.so")


@pytest.mark.parametrize("code", [RUNS, LOADS, OVERRIDES], ids=["runs", "loads", "overrides"])
def test_each_allocation_may_fail(code, library):
    lead = LEAD.format(here=str(pathlib.Path(__file__).parent), library=library)
    preload = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), library]))
    done = subprocess.run([sys.executable, "-c", lead + code], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "LD_PRELOAD": preload})
    assert done.returncode == 0 and done.stdout == "alive\n", done.stderr[-3000:]
