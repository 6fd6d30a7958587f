# SPDX-License-Identifier: Apache-2.0
"""Protobuf messages byte by byte, for forms that protobuf's own library does not write."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence


def varint(value: int, length: int = 0) -> bytes:
    """length: bytes to fill; a varint may be longer than it needs."""
    value &= 2**64 - 1
    groups = []
    while value or not groups or len(groups) < length:
        groups.append(value & 0x7f)
        value >>= 7
    return bytes(group | 0x80 for group in groups[:-1]) + bytes(groups[-1:])


def float32(value: float) -> bytes:
    return struct.pack("<f", value)


def double(value: float) -> bytes:
    return struct.pack("<d", value)


def field(number: int, value: int | float | str | bytes) -> bytes:
    """An int64, a float or a text. Attributes and tensors have no field of doubles that stands alone."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + float32(value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def message(number: int, *parts: bytes) -> bytes:
    return field(number, b"".join(parts))


def numbers(number: int, values: Sequence, encode: Callable[[int], bytes], *, packed: bool) -> bytes:
    """A repeated field. packed: the values in one field, otherwise each in its own."""
    if packed:
        return field(number, b"".join(map(encode, values)))
    wire = {float32: 5, double: 1}.get(encode, 0)
    return b"".join(varint(number << 3 | wire) + encode(value) for value in values)
