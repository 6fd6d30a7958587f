# SPDX-License-Identifier: Apache-2.0
"""Results do not depend on the state of the process: rounding modes and denormals, forks, threads,
the locale.

A C snippet, compiled by the test, sets the floating-point environment only around one call, so
that it does not affect Python.
"""

from __future__ import annotations

import ctypes as c
import itertools
import os
import pathlib
import platform
import subprocess
import sys
import threading

import emulation
import library
import numpy as np
import pytest
import random_cases
from case import ResizeCase, TileCase
from comma_locale import build_comma_locale

SNIPPET = r"""
#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
static unsigned get_csr(void) { return _mm_getcsr(); }
static void set_csr(unsigned csr) { _mm_setcsr(csr); }
#else
static unsigned get_csr(void) { return 0; }
static void set_csr(unsigned csr) { (void)csr; }
#endif

/* Calls f with up to six arguments under a rounding mode and bits of MXCSR. *kept: whether both
 * are still as they were set, the sticky flags aside. */
int call_under(int rounding, unsigned bits, int (*f)(void*, void*, void*, void*, void*, void*),
               void** a, int* kept) {
  fenv_t before;
  fegetenv(&before);
  unsigned csr = get_csr();
  fesetround(rounding);
  set_csr((get_csr() | bits) & ~0x3fu);
  unsigned set = get_csr();
  int status = f(a[0], a[1], a[2], a[3], a[4], a[5]);
  *kept = (get_csr() & ~0x3fu) == set && fegetround() == rounding;
  fesetenv(&before);
  set_csr(csr);
  return status;
}

/* Clears mask bits, so that the exceptions become signals. */
int call_unmasked(unsigned masks, int (*f)(void*, void*, void*, void*, void*, void*), void** a) {
  unsigned csr = get_csr();
  set_csr(csr & ~masks & ~0x3fu);
  int status = f(a[0], a[1], a[2], a[3], a[4], a[5]);
  set_csr(csr);
  return status;
}

double half_of_smallest_normal(void) {
  volatile double x = 0x1p-1022;
  return x / 2;
}
const int rounding_modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
"""

SIX = c.CFUNCTYPE(c.c_int, *[c.c_void_p] * 6)
DIRECT_CALL = library.call
IS_X86 = platform.machine() == "x86_64"
FLUSH_TO_ZERO, DENORMALS_ARE_ZERO = 0x8000, 0x0040
CONFORMANCE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def snippet(tmp_path_factory) -> c.CDLL:
    folder = tmp_path_factory.mktemp("snippet")
    source, built = folder / "snippet.c", folder / "snippet.so"
    source.write_text(SNIPPET)
    subprocess.run(
        ["cc", "-O1", "-shared", "-fPIC", "-o", built, source, "-lm"], check=True, timeout=120
    )
    loaded = c.CDLL(str(built))
    loaded.half_of_smallest_normal.restype = c.c_double
    return loaded


def rounding_mode(snippet: c.CDLL, index: int) -> int:
    return (c.c_int * 4).in_dll(snippet, "rounding_modes")[index]


class Recorder:
    """Replaces library.call: plans and runs under a floating-point environment."""

    def __init__(self, snippet: c.CDLL, rounding: int, bits: int):
        self.snippet, self.rounding, self.bits = snippet, rounding, bits
        self.kept = []

    def call(self, name: str, *arguments) -> None:
        if not name.startswith("tesela_plan"):
            DIRECT_CALL(name, *arguments)
            return
        error = library.Error()
        every = [*arguments, c.byref(error)]
        every += [None] * (6 - len(every))
        words = (c.c_void_p * 6)(*[as_word(argument) for argument in every])
        kept = c.c_int(-1)
        function = c.cast(getattr(library.LIBRARY, name), SIX)
        status = self.snippet.call_under(self.rounding, self.bits, function, words, c.byref(kept))
        self.kept.append(kept.value)
        library.check(status, error)


def as_word(argument) -> int | None:
    if argument is None:
        return None
    if isinstance(argument, bytes):
        return c.cast(c.c_char_p(argument), c.c_void_p).value
    if isinstance(argument, (c.c_void_p, c.c_int64, c.c_size_t)):
        return argument.value
    if hasattr(argument, "_obj"):  # byref
        return c.addressof(argument._obj)
    return c.cast(argument, c.c_void_p).value


def cases() -> list[ResizeCase]:
    """Random cases, and some that depend on denormals and rounding."""
    tiny = np.array([1e-45, 3e-42, 1e-39, -2e-40, 1e-38, 5e-39], dtype=np.float32)
    small = tiny.astype(np.float64) * 2.0**-900 * 2.0**-60
    fixed = [
        ResizeCase(tiny, "float", mode="linear", sizes=[17]),
        ResizeCase(tiny, "float", mode="cubic", scales=[0.5], antialias=1),
        ResizeCase(small, "double", mode="cubic", sizes=[23]),
        ResizeCase(np.arange(10, dtype=np.float32), mode="linear", scales=[float(np.float32(0.7))]),
        ResizeCase(np.arange(64, dtype=np.uint8) * 3, "uint8", mode="linear", sizes=[129]),
        ResizeCase(tiny.astype(np.float16), "float16", mode="linear", sizes=[9]),
    ]
    drawn = (random_cases.case(seed) for seed in itertools.count(31_000_000))
    drawn = itertools.islice((d for d in drawn if d.filter != "nearest"), 60)
    return fixed + list(drawn)


# Upwards, downwards, towards zero; with and without denormals.
ENVIRONMENTS = [(r, 0) for r in range(4)]
if IS_X86:
    ENVIRONMENTS += [
        (0, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO),
        (2, FLUSH_TO_ZERO),
        (0, DENORMALS_ARE_ZERO),
    ]


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("rounding, bits", ENVIRONMENTS)
def test_caller_s_environment_does_not_matter(snippet, monkeypatch, rounding, bits, threads):
    recorder = Recorder(snippet, rounding_mode(snippet, rounding), bits)
    monkeypatch.setattr(library, "call", recorder.call)
    for case in cases():
        found = library.run(case, threads=threads)
        assert emulation.same_bits(emulation.emulate(case), found), case.word()
    assert recorder.kept and set(recorder.kept) == {1}


def test_snippet_flushes_denormals(snippet):
    # Otherwise the test above would be meaningless. Only x86 has this bit.
    flushes = int(IS_X86)
    words = (c.c_void_p * 6)()
    kept = c.c_int()

    @SIX
    def look(*_):
        return int(snippet.half_of_smallest_normal() == 0)

    nearest = rounding_mode(snippet, 0)
    assert snippet.call_under(nearest, FLUSH_TO_ZERO, look, words, c.byref(kept)) == flushes
    assert snippet.call_under(nearest, 0, look, words, c.byref(kept)) == 0


UNMASKED = """
import ctypes as c, sys
import numpy as np
import library
from case import ResizeCase
snippet = c.CDLL(sys.argv[1])
x = np.array([0, 1e-45, 3e38, np.inf, np.nan, 1], dtype=np.float32)
case = ResizeCase(x, "float", mode="cubic", sizes=[17])
plan = library.plan(case)
expected = plan.run(x)
out = np.zeros(17, dtype=np.float32)
source, target = library.View(x, "float"), library.View(out, "float", strided=True)
words = (c.c_void_p * 6)(plan.handle, c.addressof(source.tensor), c.addressof(target.tensor))
run = c.cast(library.LIBRARY.tesela_plan_run, c.c_void_p)
assert snippet.call_unmasked(0x1F80, run, words) == 0
assert out.tobytes() == expected.tobytes()
print("done")
"""


def test_unmasked_exceptions_raise_no_signal(snippet):
    done = python(UNMASKED, snippet._name)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr


def python(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs a script that may import this folder's modules."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=CONFORMANCE,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


# --- Forks and threads ---------------------------------------------------------------------------

FORK = """
import os, sys
import numpy as np
import library
from case import ResizeCase
x = np.random.default_rng(1).random((3, 300, 300)).astype(np.float32)
case = ResizeCase(x, "float", mode="cubic", sizes=[3, 517, 233], antialias=1)
plan = library.plan(case)
expected = plan.run(x, threads=1).tobytes()
if sys.argv[1] == "after use":
    assert plan.run(x, threads=4).tobytes() == expected
for generation in range(3):
    child = os.fork()
    if child == 0:
        same = plan.run(x, threads=4).tobytes() == expected
        again = library.run(case, threads=0).tobytes() == expected
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if library.run(case, threads=3).tobytes() == expected else 1)
        status = os.waitpid(grandchild, 0)[1]
        os._exit(0 if same and again and status == 0 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert plan.run(x, threads=4).tobytes() == expected
print("done")
"""


@pytest.mark.parametrize("when", ["after use", "before use"])
def test_fork(when):
    done = python(FORK, when)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr


def test_sixteen_threads_share_a_plan():
    x = np.random.default_rng(2).random((3, 64, 64)).astype(np.float32)
    resize = ResizeCase(x, "float", mode="linear", sizes=[3, 90, 31], antialias=1)
    tile = TileCase(x, "float", repeats=[2, 3, 1])
    plans = [library.plan(resize), library.plan(tile)]
    expected = [emulation.emulate(resize).tobytes(), np.tile(x, [2, 3, 1]).tobytes()]
    faults = []
    start = threading.Barrier(16)

    def work(number: int) -> None:
        start.wait()
        for turn in range(12):
            which = (number + turn) % 2
            found = plans[which].run(x, threads=1 + turn % 3)
            if found.tobytes() != expected[which]:
                faults.append((number, turn))

    workers = [threading.Thread(target=work, args=[number]) for number in range(16)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert not any(worker.is_alive() for worker in workers)
    assert not faults


def test_sixteen_threads_plan_and_infer_at_once():
    drawn = [random_cases.case(seed) for seed in range(32_000_000, 32_000_048)]
    expected = [emulation.emulate(case) for case in drawn]
    faults = []

    def work(number: int) -> None:
        for case, wanted in zip(drawn[number % 4 :], expected[number % 4 :]):
            if not emulation.same_bits(wanted, library.run(case)):
                faults.append(case.word())

    workers = [threading.Thread(target=work, args=[number]) for number in range(16)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert not any(worker.is_alive() for worker in workers)
    assert not faults


# --- Locale --------------------------------------------------------------------------------------

TEXTS = """
import ctypes as c, locale, sys
import numpy as np
import library
from case import ResizeCase
if len(sys.argv) > 1:
    locale.setlocale(locale.LC_ALL, sys.argv[1])
    assert locale.localeconv()["decimal_point"] == ","
    assert locale.localeconv()["thousands_sep"] == "."

def text(name, *arguments):
    blob = c.c_void_p()
    library.call(name, *arguments, c.byref(blob))
    data = library.LIBRARY.tesela_blob_data
    data.restype = c.c_char_p
    return data(blob).decode()

x = np.arange(4000, dtype=np.float32)
case = ResizeCase(x, "float", mode="cubic", scales=[1.5], cubic_coeff_a=-0.625)
plan = library.plan(case)
for format in (0, 1, 2):
    print(text("tesela_ops", format))
    if format < 2:
        print(text("tesela_plan_describe", plan.handle, format))
for scales in ([-1234.5], [0.25, 1e30], [float("nan")]):
    try:
        case.scales = scales
        library.plan(case)
    except library.TeselaError as error:
        print(error.kind, error)
print(plan.run(x).tobytes().hex()[:64])
"""


@pytest.fixture(scope="module")
def comma_locale(tmp_path_factory) -> tuple[str, dict]:
    """The name of a locale with a decimal comma, and the environment in which it is found."""
    return build_comma_locale(tmp_path_factory.mktemp("locales"))


def test_decimal_comma_locale_changes_nothing(comma_locale):
    name, environment = comma_locale
    plain = python(TEXTS)
    assert plain.returncode == 0, plain.stderr
    german = python(TEXTS, name, **environment)
    assert german.returncode == 0, german.stderr
    assert german.stdout == plain.stdout
    for number in ("-0.75", "-1234.5", "scale 1.5"):
        assert number in plain.stdout
