# SPDX-License-Identifier: Apache-2.0
"""Nothing is printed when a program ends, whatever objects exist and in whatever order they are destroyed."""

import subprocess
import sys
import textwrap

import pytest

HEAD = """
import builtins, ctypes, os, sys, threading
import numpy as np
import tesela
from tesela import _core

x = np.zeros((1000, 1000), np.float32)
def large(): return tesela.resize(x, (1500, 2000))  # its memory is Tesela's
"""

PROGRAMS = {
    "arrays and views of them": """
        y = large()
        builtins.held = [y[3:5].T, memoryview(y), large()]
    """,
    "objects in a cycle that nobody collects": """
        import gc
        gc.disable()
        class Node: pass
        node = Node()
        node.self, node.y, node.plan, node.cache = node, large(), tesela.plan("tile", x, repeats=(2, 2)), tesela.PlanCache(3)
    """,
    "a library that frees its tensors after Python has ended": """
        # As PyTorch's static objects do: the C library calls the tensor's own deleter when the process ends.
        capsule = _core.to_dlpack(large().view(np.uint32), 1).__dlpack__()
        api = ctypes.pythonapi
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
        tensor = api.PyCapsule_GetPointer(capsule, b"dltensor")
        api.PyCapsule_SetName(capsule, b"used_dltensor")
        deleter = ctypes.c_void_p.from_address(tensor + 56).value  # of a DLManagedTensor
        ctypes.CDLL(None).__cxa_atexit(ctypes.c_void_p(deleter), ctypes.c_void_p(tensor), None)
    """,
    "an exception that holds its frames": """
        def call():
            y, plan = large(), tesela.plan("tile", x, repeats=(2, 2))
            raise KeyboardInterrupt
        try:
            call()
        except KeyboardInterrupt as error:
            builtins.error = error
    """,
    "threads that go on": """
        def work(size):
            while True:
                tesela.resize(x, (size, 1500), mode="cubic", num_threads=1)
        def work_quickly():
            while True:
                tesela.tile(x[:8, :8], (2, 2))
        for k in range(3):
            threading.Thread(target=work, args=(1500 + k,), daemon=True).start()
            threading.Thread(target=work_quickly, daemon=True).start()
        threading.Event().wait(0.3)
    """,
    "children of fork": """
        held = large()
        for _ in range(2):
            child = os.fork()
            if child == 0:
                builtins.held = large(), held, tesela.plan("tile", x, repeats=(2, 2))(x)
                sys.exit(0)
            assert os.waitpid(child, 0)[1] == 0
    """,
    "a child of fork in a thread": """
        def work():
            child = os.fork()
            if child == 0:
                builtins.held = large()
                os._exit(0 if tesela.tile(x, (1, 2)).shape == (1000, 2000) else 1)
            assert os.waitpid(child, 0)[1] == 0
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """,
    "the module gone before its objects": """
        held = large(), tesela.plan("tile", x, repeats=(2, 2))
        for name in [name for name in sys.modules if name.startswith("tesela")]:
            del sys.modules[name]
        del tesela, _core
        builtins.held = held
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_program_exits_without_output(program):
    done = subprocess.run([sys.executable, "-c", HEAD + textwrap.dedent(program)], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
