# SPDX-License-Identifier: Apache-2.0
"""nearest_double of src/plan/rational.cc gives the double nearest to a rational number, ties to even.

Compared with Python's division of integers, which rounds correctly, for random numbers of every width to 126 bits and for
ties and their neighbours.

    python tests/proofs/nearest_double.py 1000000
"""

from __future__ import annotations

import ctypes as c
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))

from figures import record

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "plan" / "rational.cc"
# 128-bit numbers as two halves, because ctypes has none.
CALL = """
extern "C" double nearest(int64_t high, uint64_t low, int64_t den_high, uint64_t den_low) {
  const auto join = [](int64_t a, uint64_t b) { return (tesela::Int128{a} << 64) + b; };
  return tesela::nearest_double(join(high, low), join(den_high, den_low));
}
"""
MOST = 2**126


def compiled(source: str) -> c.CDLL:
    with tempfile.TemporaryDirectory(prefix="nearest-double-") as folder:
        file = Path(folder, "nearest_double.cc")
        file.write_text(source + CALL, encoding="utf-8")
        command = ["g++", "-std=c++20", "-O2", "-ffp-contract=off", "-shared", "-fPIC", f"-I{ROOT / 'src'}", str(file)]
        subprocess.run([*command, "-o", f"{folder}/it.so"], check=True)
        library = c.CDLL(f"{folder}/it.so")
    library.nearest.restype = c.c_double
    library.nearest.argtypes = [c.c_int64, c.c_uint64, c.c_int64, c.c_uint64]
    return library


def rationals(count: int, seed: int) -> Iterator[tuple[int, int]]:
    draw = random.Random(seed)
    for _ in range(count):
        if draw.random() < 0.5:
            num, den = draw.getrandbits(draw.randint(0, 126)), draw.getrandbits(draw.randint(1, 126)) or 1
        else:  # half way between two doubles, or next to it
            factor = draw.getrandbits(draw.randint(1, 70)) or 1
            num, den = (2 * draw.randint(2**52, 2**53 - 1) + 1) * factor, 2 * factor
            shift = draw.randint(0, max(0, 125 - max(num.bit_length(), den.bit_length())))
            num, den = (num << shift, den) if draw.random() < 0.5 else (num, den << shift)
            num += draw.randint(-1, 1) * draw.choice((1, den))
        if num <= MOST and den <= MOST:
            yield (num if draw.random() < 0.5 else -num), den


def differences(source: str, count: int, seed: int = 1) -> tuple[int, list[str]]:
    """How many numbers were compared, and those that are not rounded correctly."""
    nearest = compiled(source).nearest
    compared, wrong = 0, []
    for num, den in rationals(count, seed):
        compared += 1
        ours = nearest(num >> 64, num & (2**64 - 1), den >> 64, den & (2**64 - 1))
        if ours != num / den:
            wrong.append(f"{num} / {den}: {ours!r}, not {num / den!r}")
    return compared, wrong


def main(count: int) -> int:
    compared, wrong = differences(SOURCE.read_text(encoding="utf-8"), count)
    sentence = f"{compared - len(wrong)} of {compared} rational numbers of up to 126 bits are rounded to the nearest double."
    print(*wrong[:10], sentence, sep="\n")
    record("proofs", sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
