# SPDX-License-Identifier: Apache-2.0
"""Random workloads, as lines of tests/cases.txt: families of shapes, types and attributes that people have."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

MOST_BYTES = 24 << 20  # of input and output together
COMMON = ("float", "uint8", "float16", "bfloat16")
NUMBERS = {"float": 4, "uint8": 1, "float16": 2, "bfloat16": 2, "double": 8, "int8": 1, "int16": 2, "uint16": 2,
           "int32": 4, "uint32": 4, "int64": 8, "uint64": 8}
TYPES = NUMBERS | {"bool": 1, "complex64": 8, "complex128": 16}


class Draw(random.Random):
    def log(self, low: int, high: int) -> int:
        """An integer in [low, high], small ones as often as large ones."""
        return min(high, max(low, round(low * (high / low) ** self.random())))

    def dtype(self, types) -> str:
        """Mostly one that images and models have."""
        return self.choice(COMMON if self.random() < 0.7 else list(types))

    def resized(self, extents: list[int], low: float = 0.2, high: float = 5) -> list[int]:
        """New extents: by a common ratio, by one for each axis, or by whole factors."""
        kind = self.random()
        common = low * (high / low) ** self.random()
        if kind < 0.3:
            return [max(1, n * self.choice((2, 2, 3, 4))) for n in extents]
        return [max(1, round(n * (common if kind < 0.6 else low * (high / low) ** self.random()))) for n in extents]

    def words(self, modes=("nearest", "linear", "linear", "cubic")) -> list[str]:
        """Those that some peer has, too."""
        mode = self.choice(modes)
        if mode == "nearest":
            return ["nearest", *self.choice(([], ["asymmetric", "floor"]))]
        if self.random() < 0.3:
            return [mode, "antialias"]
        return [mode, *self.choice(([], [], ["align_corners"]))]


def shape(extents) -> str:
    return "x".join(map(str, extents))


def line(words: list[str], dtype: str, source, target, *numbers: str) -> str:
    words = list(words)
    if "antialias" in words and "cubic" in words:
        numbers = ("cubic_coeff_a=-0.5", *numbers)
    return " ".join([*words, dtype, *([shape(source)] if source else []), "->", shape(target), *numbers])


# ---- Families ------------------------------------------------------------------------------------------------------


def planar(draw: Draw) -> str:
    image = [draw.log(2, 1500), draw.log(2, 1500)]
    lead = [1, draw.choice((1, 3, 3, 4, draw.log(1, 256)))]
    return line(draw.words(), draw.dtype(NUMBERS), lead + image, lead + draw.resized(image))


def channels_last(draw: Draw) -> str:
    image, channels = [draw.log(2, 1200), draw.log(2, 1200)], draw.choice((3, 4, draw.randint(1, 64)))
    return line(draw.words(), draw.dtype(NUMBERS), [1, *image, channels], [1, *draw.resized(image), channels])


def tiny_planes(draw: Draw) -> str:
    image, lead = [draw.log(1, 16), draw.log(1, 16)], [1, draw.log(64, 100_000)]
    return line(draw.words(("nearest", "linear", "cubic")), draw.dtype(NUMBERS), lead + image, lead + draw.resized(image))


def volume(draw: Draw) -> str:
    extents, lead = [draw.log(2, 128) for _ in range(3)], [1, draw.choice((1, 1, draw.log(1, 64)))]
    return line(draw.words(("nearest", "linear", "linear")), draw.dtype(NUMBERS), lead + extents, lead + draw.resized(extents, 0.3, 3))


def long_line(draw: Draw) -> str:
    lead, extents = [1, draw.log(1, 16)], [draw.log(2000, 500_000)]
    return line(draw.words(("nearest", "linear", "linear")), draw.dtype(NUMBERS), lead + extents, lead + draw.resized(extents))


def move(draw: Draw) -> str:
    """Whole factors of any axes, which copy elements."""
    rank = draw.randint(2, 5)
    source = [draw.log(1, 300) for _ in range(rank)]
    target = [n * draw.choice((1, 1, 2, 3, 4)) for n in source]
    return line(["nearest", "asymmetric", "floor"], draw.dtype(TYPES), source, target)


def tile(draw: Draw) -> str:
    rank = draw.randint(1, 5)
    source = [draw.choice((1, draw.log(1, 3000))) for _ in range(rank)]
    return line(["tile"], draw.dtype(TYPES), source, [n * draw.choice((1, 1, 2, 3, draw.log(1, 100))) for n in source])


def fill(draw: Draw) -> str:
    return line(["fill"], draw.dtype(NUMBERS), [], [draw.log(1, 8_000_000)], *draw.choice(([], ["value=5"])))


def view(draw: Draw) -> str:
    """Images with their channels together in memory, seen as planes, before or after or both."""
    image, lead = [draw.log(8, 1000), draw.log(8, 1000)], [1, draw.choice((3, 3, 4, draw.log(2, 64)))]
    orders = draw.choice((["input_order=0,2,3,1"], ["output_order=0,2,3,1"], ["input_order=0,2,3,1", "output_order=0,2,3,1"]))
    return line(draw.words(), draw.dtype(NUMBERS), lead + image, lead + draw.resized(image), *orders)


def crop(draw: Draw) -> str:
    """Parts of images and volumes, some of which reach beyond them."""
    rank, channels = draw.choice((2, 2, 2, 3)), draw.choice((1, 3, 3, draw.log(1, 256)))
    extents = [draw.log(4, 1200 if rank == 2 else 100) for _ in range(rank)]
    low, high = draw.choice(((0, 1), (0, 1), (-0.4, 1.4)))
    ends = [sorted((round(draw.uniform(low, high), 2), round(draw.uniform(low, high), 2))) for _ in range(rank)]
    starts, ends = [0, 0, *(start for start, _ in ends)], [1, 1, *(end for _, end in ends)]
    words = [draw.choice(("nearest", "linear", "linear", "cubic")), "tf_crop_and_resize"]
    lead = [draw.choice((1, 1, draw.randint(2, 16))), channels]
    roi = "roi=" + ",".join(map(str, starts + ends))
    return line(words, draw.dtype(NUMBERS), lead + extents, lead + draw.resized(extents), roi)


# How many of a hundred cases.
FAMILIES: dict[Callable[[Draw], str], int] = {
    planar: 24, channels_last: 13, tiny_planes: 11, volume: 8, long_line: 8, move: 8, tile: 9, fill: 6, view: 7, crop: 6}


def bytes_of(text: str) -> int:
    words = text.split()
    arrow = words.index("->")
    dtype = words[arrow - 1] if words[arrow - 1] in TYPES else words[arrow - 2]
    shapes = [words[arrow + 1], *([words[arrow - 1]] if words[arrow - 1] not in TYPES else [])]
    total = 0
    for each in shapes:
        count = 1
        for extent in each.split("x"):
            count *= int(extent)
        total += count
    return total * TYPES[dtype]


def is_identity(text: str) -> bool:
    before, _, after = text.partition(" -> ")
    return before.split()[-1] == after.split()[0]


def lines(seed: int, count: int) -> Iterator[str]:
    """The same lines for the same seed; each is named after its family and place."""
    draw = Draw(seed)
    for number in range(count):
        [family] = draw.choices(list(FAMILIES), list(FAMILIES.values()))
        text = family(draw)
        while bytes_of(text) > MOST_BYTES or is_identity(text):
            text = family(draw)
        yield f"{family.__name__}.{number}: {text}"
