# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, or another signal whose handler raises, stops a running call."""

import signal
import threading

import numpy as np
import pytest
import tesela
from onnx import TensorProto, helper

BYTES = np.random.default_rng(3).integers(0, 256, (1500, 1500), np.uint8)
LARGE = (60000, 18000)
PHOTOS = 300
SENTINEL = 77


def model_of_a_long_chain():
    """A model whose first node takes long and whose second node fails."""
    sizes = [helper.make_tensor(name, TensorProto.INT64, [3], entries) for name, entries in (("s", (PHOTOS, 100, 100)),)]
    nodes = [helper.make_node("Resize", ["x", "", "", "s"], ["y"], mode="cubic", antialias=1),
             helper.make_node("Resize", ["y", "", "", "u"], ["z"])]
    ends = [helper.make_tensor_value_info(name, TensorProto.DOUBLE, shape) for name, shape in (("x", [None, None, None]), ("z", None))]
    ends.append(helper.make_tensor_value_info("u", TensorProto.INT64, [3]))
    graph = helper.make_graph(nodes, "chain", [ends[0], ends[2]], [ends[1]], sizes)
    return tesela.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10))


def unfinished(out):
    """Whether some rows have not been written."""
    return (out.reshape(len(out), -1) == SENTINEL).all(axis=1).any()


def long_calls():
    """(name, call, its output or None). Each takes far longer than the time to notice a signal."""
    out = np.full(LARGE, SENTINEL, np.uint8)
    doubles = np.full((PHOTOS, 100, 100), SENTINEL, np.float64)
    plan = tesela.plan("resize", BYTES, sizes=LARGE, like="pillow:bicubic")
    x = np.broadcast_to(BYTES.astype(np.float64), (PHOTOS, *BYTES.shape))
    wide = np.zeros((30000, 18000), np.uint8)
    few = np.full((50, 50), SENTINEL, np.uint8)
    model = model_of_a_long_chain()
    wrong = np.array([-1, 0, 0])
    yield "resize by vectors", lambda: tesela.resize(x, doubles.shape, mode="cubic", antialias=True, out=doubles, num_threads=1), doubles
    yield "resize in fixed point", lambda: tesela.resize(BYTES, LARGE, like="pillow:bicubic", out=out, num_threads=1), out
    yield "plan", lambda: plan(BYTES, out=out, num_threads=1), out
    yield "one task", lambda: tesela.resize(wide, (50, 50), like="pillow:bicubic", out=few, num_threads=1), few
    yield "model", lambda: model(x=x, u=wrong, num_threads=1), None


CALLS = list(long_calls())


def interrupted_by(seconds, call):
    """Runs the call on the main thread and sends SIGINT. Returns whether it arrived before the call and the wait ended."""
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    try:
        timer.start()
        call()
        timer.join()
    except KeyboardInterrupt:
        timer.join()
        return True
    return False


@pytest.mark.parametrize("call, out", [entry[1:] for entry in CALLS], ids=[entry[0] for entry in CALLS])
def test_ctrl_c_stops_a_running_call(call, out):
    if out is not None:
        out[...] = SENTINEL
    # A call that cannot be stopped writes its whole output first, or reaches the model's second node, which fails.
    assert interrupted_by(0.01, call)
    assert out is None or unfinished(out)


def test_returning_signal_handler_does_not_stop_the_call():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        result = tesela.resize(BYTES, (12000, 12000), like="pillow:bicubic")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen and np.array_equal(result, tesela.resize(BYTES, (12000, 12000), like="pillow:bicubic"))


def test_exception_of_signal_handler_is_raised():
    class Late(Exception):
        pass

    def handler(*_):
        raise Late("0.01 s")

    before = signal.signal(signal.SIGALRM, handler)
    out = np.full(LARGE, SENTINEL, np.uint8)
    try:
        with pytest.raises(Late, match="0.01 s"):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            tesela.resize(BYTES, LARGE, like="pillow:bicubic", out=out, num_threads=1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert unfinished(out)


def test_runs_of_other_threads_go_on():
    results = []
    thread = threading.Thread(target=lambda: results.append(tesela.resize(BYTES, (12000, 12000), like="pillow:bicubic")))
    out = np.full(LARGE, SENTINEL, np.uint8)
    thread.start()
    assert interrupted_by(0.01, lambda: tesela.resize(BYTES, LARGE, like="pillow:bicubic", out=out, num_threads=1))
    thread.join()
    assert np.array_equal(results[0], tesela.resize(BYTES, (12000, 12000), like="pillow:bicubic"))
