# SPDX-License-Identifier: Apache-2.0
"""Backends for `tesela conformance` that each have a planted defect. Each class runs in a process of its own, so a defect may change
a module."""

from __future__ import annotations

import math
import os
import sys
import time
from dataclasses import replace
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import case as cases
import case_rules
import emulation
import emulation_axis
import ml_dtypes
import numpy as np
from emulation_backend import Emulation


class TiesUp(Emulation):
    """round_prefer_floor is round_prefer_ceil."""

    def altered(self, call):
        return replace(call, nearest_mode=call.nearest_mode.replace("prefer_floor", "prefer_ceil"))


class NoHalfPixel(Emulation):
    """half_pixel forgets its offset."""

    def altered(self, call):
        mode = call.coordinate_transformation_mode
        return replace(call, coordinate_transformation_mode="asymmetric" if mode == "half_pixel" else mode)


class CatmullRom(Emulation):
    """The default of cubic_coeff_a is -0.5."""

    def altered(self, call):
        return replace(call, cubic_coeff_a=-0.5 if call.cubic_coeff_a == -0.75 else call.cubic_coeff_a)


class FixedCoefficient(Emulation):
    """cubic_coeff_a is ignored."""

    def altered(self, call):
        return replace(call, cubic_coeff_a=-0.75)


class IncludesOutside(Emulation):
    """exclude_outside is ignored."""

    def altered(self, call):
        return replace(call, exclude_outside=0)


class NoAntialias(Emulation):
    """antialias is ignored."""

    def altered(self, call):
        return replace(call, antialias=0)


class SortedAxes(Emulation):
    """Entries of sizes and scales belong to the axes in their own order."""

    def altered(self, call):
        return replace(call, axes=None if call.axes is None else sorted(call.listed_axes()))


class NoPolicy(Emulation):
    """keep_aspect_ratio_policy is ignored."""

    def altered(self, call):
        return replace(call, keep_aspect_ratio_policy="stretch")


class NoRoi(Emulation):
    """tf_crop_and_resize does not crop."""

    def altered(self, call):
        return replace(call, roi=None)


class PytorchOneOutput(Emulation):
    """A single output of pytorch_half_pixel lands at the centre."""

    def altered(self, call):
        mode = call.coordinate_transformation_mode
        return replace(call, coordinate_transformation_mode="half_pixel" if mode == "pytorch_half_pixel" else mode)


class RecomputedScales(Emulation):
    """Scales become the quotients of extents."""

    def altered(self, call):
        if call.scales is None or call.is_simple:
            return call
        shape = [axis.m for axis in cases.resolve(call)]
        return replace(call, scales=None, sizes=[shape[d] for d in call.listed_axes()])


class Version10Floors(Emulation):
    """Resize-10 takes the input below where an axis shrinks, too."""

    def altered(self, call):
        if call.since_version != 10:
            return call
        return replace(call, since_version=11, coordinate_transformation_mode="asymmetric", nearest_mode="floor")


class NoExtrapolation(Emulation):
    """Outputs outside take the border."""

    def __init__(self):
        emulation_axis.is_outside = lambda call, axis, i: False


class ResolvesOtherwise(Emulation):
    """A defect of the extents and lengths of axes."""

    def __init__(self):
        right = emulation.resolve
        emulation.resolve = lambda call: [self.axis(call, axis) for axis in right(call)]


class WholeLength(ResolvesOtherwise):
    """align_corners counts with the number of outputs."""

    def axis(self, call, axis):
        return axis if call.crops else replace(axis, length=Fraction(axis.m) if axis.is_exact else float(axis.m))


class RoundedExtents(ResolvesOtherwise):
    """Extents are rounded to the nearest."""

    def axis(self, call, axis):
        return replace(axis, m=math.floor(axis.n * float(axis.scale) + 0.5)) if call.scales else axis


class HalfEvenPolicy(ResolvesOtherwise):
    """keep_aspect_ratio_policy rounds halves to even."""

    def axis(self, call, axis):
        return axis if call.keep_aspect_ratio_policy == "stretch" else replace(axis, m=round(Fraction(axis.length)))


class FloatExtents(ResolvesOtherwise):
    """Extent times scale is rounded to float32."""

    def axis(self, call, axis):
        return replace(axis, m=math.floor(np.float32(axis.n) * np.float32(axis.scale))) if call.scales else axis


class FloatPositions(Emulation):
    """Positions are float32."""

    def __init__(self):
        right = emulation_axis.double_position

        def position(call, axis, i):
            n, m, s, half = np.float32(axis.n), np.float32(axis.m), np.float32(axis.scale), np.float32(0.5)
            if call.coordinates == "half_pixel":
                return float((np.float32(i) + half) / s - half)
            if call.coordinates == "asymmetric":
                return float(np.float32(i) / s)
            if call.coordinates == "align_corners" and axis.m > 1:
                return float(np.float32(i) * (n - 1) / (m - 1))
            return right(call, axis, i)

        emulation_axis.double_position = position
        resolved = emulation.resolve
        emulation.resolve = lambda call: [replace(axis, is_exact=False) for axis in resolved(call)] if call.filter == "nearest" else resolved(call)


class RoundsOtherwise(Emulation):
    """A defect of the conversion to integers."""

    def __init__(self):
        emulation._to_integer = self.integer


class Truncates(RoundsOtherwise):
    """Sums are cut to integers."""

    def integer(self, values, dtype):
        limits = np.iinfo(dtype)
        return np.clip(np.trunc(values), float(limits.min), float(limits.max)).astype(dtype)


class HalfUp(RoundsOtherwise):
    """Halves are rounded up."""

    def integer(self, values, dtype):
        limits = np.iinfo(dtype)
        return np.clip(np.floor(values + 0.5), float(limits.min), float(limits.max)).astype(dtype)


class Wraps(RoundsOtherwise):
    """Sums beyond the type wrap around."""

    def integer(self, values, dtype):
        return np.rint(values).astype(np.int64).astype(dtype)


class ThroughDouble(Emulation):
    """64-bit integers pass through double: INT64_MAX becomes INT64_MIN."""

    def resized(self, call):
        y = emulation.emulate(call)
        is_wide = y.dtype.kind in "iu" and y.dtype.itemsize == 8
        return y.astype(np.float64).astype(np.int64).astype(y.dtype) if is_wide else y


class NanSpreads(Emulation):
    """Inputs of weight zero are multiplied, too."""

    def __init__(self):
        right = emulation_axis._entry

        def entry(call, axis, i, compute):
            taps = right(call, axis, i, compute)
            if len(taps) == 1 and axis.n > 1 and taps[0][1] == 1:
                j = taps[0][0]
                taps = sorted([taps[0], (j + 1 if j + 1 < axis.n else j - 1, compute.type(0))])
            return taps

        emulation_axis._entry = entry


class LosesSigns(Emulation):
    """nearest adds zeros, which makes -0.0 a 0.0."""

    def resized(self, call):
        y = emulation.emulate(call)
        return y + y.dtype.type(0) if y.dtype.kind == "f" else y


class RoiOfPairs(Emulation):
    """The roi has a start and an end of each axis in turn."""

    def altered(self, call):
        return call if call.roi is None else replace(call, roi=call.roi.reshape(-1, 2).T.reshape(-1))


class TilesBackwards(Emulation):
    """Entry d of repeats belongs to axis d from the back."""

    def tiled(self, x, repeats):
        return np.tile(x, repeats[::-1]) if repeats else x.copy()


class RepeatsElements(Emulation):
    """Each element is repeated, not the whole."""

    def tiled(self, x, repeats):
        for axis, entry in enumerate(repeats):
            x = np.repeat(x, entry, axis)
        return x


class FillsZeros(Emulation):
    """value is ignored, except its type."""

    def filled(self, shape, value, dtype):
        return np.zeros(shape, dtype)


class FillsFloats(Emulation):
    """The output is always float."""

    def filled(self, shape, value, dtype):
        return np.full(shape, value).astype(np.float32)


class UnsignedNibbles(Emulation):
    """int4 is read as uint4."""

    def filled(self, shape, value, dtype):
        if dtype == np.dtype(ml_dtypes.int4):
            return np.full(shape, max(int(value), 0) or 7, np.int8).astype(dtype)
        return np.full(shape, value, dtype)


class EmptyCrash(Emulation):
    """A tensor without elements ends the process."""

    def resized(self, call):
        if call.x.size == 0:
            os.abort()
        return emulation.emulate(call)


class HangsOnOne(Emulation):
    """An axis of one element that grows never ends."""

    def resized(self, call):
        if any(axis.n == 1 and axis.m > 1 for axis in emulation.resolve(call)):
            time.sleep(600)
        return emulation.emulate(call)


class NegativeScales(Emulation):
    """The sign of scales is ignored."""

    def check(self, call):
        if call.scales:
            call.scales = [abs(scale) if math.isfinite(scale) else scale for scale in call.scales]
        case_rules.validate(call)


class AcceptsBoth(Emulation):
    """Sizes win where there are scales, too."""

    def check(self, call):
        if call.scales and call.sizes:
            call.scales = None
        case_rules.validate(call)


class NegativeRepeats(Emulation):
    """Negative repeats are taken as 0."""

    def tile(self, version, x, *given):
        if version > 1 and given[0].dtype == np.int64:
            given = (np.maximum(given[0], 0),)
        return super().tile(version, x, *given)
