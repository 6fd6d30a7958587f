# SPDX-License-Identifier: Apache-2.0
"""The positions of each coordinate mode as docs and specification have them, and what is known of the lines for them."""

from __future__ import annotations

from dataclasses import dataclass

from terms import Poly, conjunction, disjunction, equivalence, implication, poly, variables

MAX_EXTENT = 2**40
EXACT_MODES = ("kHalfPixel", "kPytorchHalfPixel", "kAlignCorners", "kAsymmetric", "kTfHalfPixelForNn", "kHalfPixelSymmetric")
NEAREST_MODES = ("kRoundPreferFloor", "kRoundPreferCeil", "kFloor", "kCeil", "kSimple")

n, m, p, q, i, k = variables("n m p q i k")  # extents of the input and the output, scale p / q, outputs


@dataclass
class Fraction:
    """A quotient of polynomials."""

    num: Poly
    den: Poly

    def __add__(self, other):
        return Fraction(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other):
        return Fraction(self.num * other.den - other.num * self.den, self.den * other.den)

    def __mul__(self, other):
        return Fraction(self.num * other.num, self.den * other.den)

    def __truediv__(self, other):
        return Fraction(self.num * other.den, self.den * other.num)


def whole(value) -> Fraction:
    return Fraction(poly(value), poly(1))


HALF = Fraction(poly(1), poly(2))


def formula(mode: str, index: Poly, one_output: bool) -> Fraction:
    """x(i) in the words of the specification: s the scale, L = n s the length of the output before rounding."""
    x, s, in_, out = whole(index), Fraction(p, q), whole(n), whole(m)
    length = in_ * s
    match mode:
        case "kHalfPixel":
            return (x + HALF) / s - HALF
        case "kPytorchHalfPixel":
            return whole(0) if one_output else (x + HALF) / s - HALF
        case "kAlignCorners":
            return whole(0) if one_output else x * (in_ - whole(1)) / (length - whole(1))
        case "kAsymmetric":
            return x / s
        case "kTfHalfPixelForNn":
            return (x + HALF) / s
        case "kHalfPixelSymmetric":
            return in_ / whole(2) * (whole(1) - out / length) + (x + HALF) / s - HALF
    raise ValueError(mode)


def depends_on_outputs(mode: str) -> bool:
    """Whether one output has a formula of its own."""
    return mode in ("kPytorchHalfPixel", "kAlignCorners")


def request(one_output: bool | None = None) -> list:
    """What make_axis_map and inference guarantee of a request: 1 <= n, m <= 2^40, and m is n p / q rounded half up."""
    facts = [n >= 1, n <= MAX_EXTENT, m >= 1, m <= MAX_EXTENT, p >= 1, p < 2**63, q >= 1, q < 2**63]
    facts += [2 * n * p + q >= 2 * m * q, 2 * n * p + q < 2 * (m + 1) * q]
    if one_output is not None:
        facts.append(m == 1 if one_output else m >= 2)
    return facts


def output(index: Poly) -> list:
    return [index >= 0, index <= m - 1]


def position(line: dict, index: Poly) -> Poly:
    return line["num0"] + line["step"] * index


def shape_of(line: dict) -> list:
    """What holds for the line of every mode."""
    large = 2**110
    return [
        line["den"] >= 1,
        line["step"] >= 0,
        conjunction(line["num0"] >= -large, line["num0"] <= large),
        line["step"] <= large,
        line["den"] <= large,
    ]


def placed(mode: str, line: dict, index: Poly, one_output: bool) -> list:
    """That the line is the formula at an output, and that its position is in [-1, 2n]."""
    x = formula(mode, index, one_output)
    num = position(line, index)
    return [x.den >= 1, num * x.den == x.num * line["den"], num >= -line["den"], num <= 2 * n * line["den"]]


def direction(mode: str, line: dict, one_output: bool):
    """That the line shrinks where the axis does; a line of one position 0 has no direction."""
    constant = conjunction(line["num0"] == 0, line["step"] == 0)
    return disjunction(
        equivalence(line["step"] > line["den"], p < q), constant if one_output and depends_on_outputs(mode) else False
    )


def transported(a: Poly, b: Poly, c: Poly, d: Poly, k: Poly):
    """If a / b = c / d, they compare alike with the integer k: proved once as theorem "equal fractions compare alike"."""
    premise = conjunction(a * d == c * b, b >= 1, d >= 1)
    return implication(premise, conjunction(equivalence(k * b <= a, k * d <= c), equivalence(a <= k * b, c <= k * d)))


LINE = dict(zip(("num0", "step", "den"), variables("num0 step den")))
