# SPDX-License-Identifier: Apache-2.0
"""What a file says of the axes of its array: names, kinds, units, and where elements lie."""

from __future__ import annotations

from dataclasses import dataclass

_KINDS = {"t": "time", "time": "time", "c": "channel", "channel": "channel", "x": "space", "y": "space", "z": "space"}
_USUAL = ("t", "c", "z", "y", "x")
_SPACE = ("angstrom", "centimeter", "decimeter", "foot", "inch", "kilometer", "meter", "micrometer", "mile", "millimeter", "nanometer",
          "parsec", "picometer", "yard")
_TIME = ("day", "hour", "microsecond", "millisecond", "minute", "nanosecond", "second")
# Symbols of OME-XML and xarray's attributes; µ has two characters.
_SYMBOLS = {"Å": "angstrom", "cm": "centimeter", "ft": "foot", "in": "inch", "km": "kilometer", "m": "meter", "metre": "meter",
            "um": "micrometer", "µm": "micrometer", "μm": "micrometer", "micron": "micrometer", "mm": "millimeter", "nm": "nanometer",
            "pm": "picometer", "d": "day", "h": "hour", "min": "minute", "s": "second", "ms": "millisecond", "us": "microsecond",
            "µs": "microsecond", "μs": "microsecond", "ns": "nanosecond"}
UNITS = {"space": _SPACE, "time": _TIME}


@dataclass(frozen=True)
class Axis:
    """kind: "time", "channel", "space" or another; None if unknown. unit: a name of OME-Zarr, or None.
    scale: the distance of elements in units. translation: the position of the first element's centre."""

    name: str
    kind: str | None
    unit: str | None = None
    scale: float = 1.0
    translation: float = 0.0


def named(name: str) -> Axis:
    return Axis(name, _KINDS.get(name.lower()))


def unit_name(text: str | None) -> str | None:
    """The name of a unit; symbols become names, other text stays."""
    return _SYMBOLS.get(text, text) if text else None


def usual(rank: int) -> tuple[Axis, ...]:
    """The axes of an array that says nothing: yx, zyx, czyx or tczyx."""
    return tuple(named(name) for name in _USUAL[-rank:])
