# SPDX-License-Identifier: Apache-2.0
"""Small valid PNG and JPEG files: each function gives {name: content}."""

from __future__ import annotations

import io
import itertools
import struct
import zlib

import numpy as np
from PIL import Image

# --- PNG: byte by byte ----------------------------------------------------------------------------------------

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
DEPTHS = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16), RGBA: (8, 16)}
# First pixel and step of Adam7's passes: x, y, dx, dy.
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
ANCILLARY = {"gAMA": struct.pack(">I", 45455), "pHYs": struct.pack(">IIB", 2835, 2835, 1), "tEXt": b"Title\0x", "tIME": b"\x07\xea\1\1\0\0\0",
             "sRGB": b"\0", "zTXt": b"Note\0\0" + zlib.compress(b"a" * 9), "prVt": b"private"}


def chunk(kind: str, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind.encode() + data + struct.pack(">I", zlib.crc32(kind.encode() + data))


def rows(width: int, height: int, bits: int, filter_: int) -> bytes:
    """filter_: 0 to 4, or 5 for each in turn. Any bytes are valid rows; those of palettes are kept small by `mask`."""
    size = (width * bits + 7) // 8
    out = b""
    for y in range(height if width else 0):
        out += bytes([y % 5 if filter_ == 5 else filter_]) + bytes((7 * y + 3 * x) % 5 for x in range(size))
    return out


def png(width: int, height: int, color: int, depth: int, interlaced: bool, *, filter_: int = 0, level: int = 6, before: bytes = b"",
        pieces: int = 1, after: bytes = b"") -> bytes:
    bits = depth * CHANNELS[color]
    if interlaced:
        data = b"".join(rows(max(0, -(-(width - x) // dx)), max(0, -(-(height - y) // dy)), bits, filter_) for x, y, dx, dy in ADAM7)
    else:
        data = rows(width, height, bits, filter_)
    packed = zlib.compress(data, level)
    step = -(-len(packed) // pieces)
    if color == PALETTE:
        before = chunk("PLTE", bytes(range(3 * min(2**depth, 16)))) + before
    return (b"\x89PNG\r\n\x1a\n" + chunk("IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)) + before
            + b"".join(chunk("IDAT", packed[at:at + step]) for at in range(0, len(packed), step)) + after + chunk("IEND", b""))


def transparency(color: int, depth: int) -> bytes:
    if color == PALETTE:
        return chunk("tRNS", bytes([0, 128]))
    return chunk("tRNS", struct.pack(">H", 1) * CHANNELS[color])


def png_files() -> dict[str, bytes]:
    files = {}
    kinds = [(color, depth) for color, depths in DEPTHS.items() for depth in depths]
    sizes = [(1, 1), (3, 2), (8, 8), (9, 5), (2, 7), (4, 1)]
    for index, ((color, depth), interlaced, (width, height)) in enumerate(itertools.product(kinds, (False, True), sizes)):
        files[f"{color}_{depth}_{interlaced}_{width}x{height}"] = png(width, height, color, depth, interlaced, filter_=index % 6, level=index % 10,
                                                                      pieces=1 + index % 3)
    for (color, depth), filter_ in itertools.product(kinds, range(6)):
        if color != PALETTE or filter_ in (0, 5):
            files[f"filter_{filter_}_{color}_{depth}"] = png(5, 6, color, depth, False, filter_=filter_)
    for (color, depth), interlaced in itertools.product(kinds, (False, True)):
        if color not in (GREY_ALPHA, RGBA):
            files[f"transparent_{color}_{depth}_{interlaced}"] = png(3, 3, color, depth, interlaced, before=transparency(color, depth))
    for (name, data), (color, depth) in itertools.product(ANCILLARY.items(), ((GREY, 8), (RGB, 8), (RGBA, 16), (PALETTE, 4))):
        where = {"after": chunk(name, data)} if name in ("tEXt", "tIME", "zTXt") and color == RGB else {"before": chunk(name, data)}
        files[f"{name}_{color}_{depth}"] = png(2, 3, color, depth, False, **where)
    return files


# --- JPEG: by libjpeg -----------------------------------------------------------------------------------------


def jpeg(channels: int, width: int, height: int, **options) -> bytes:
    y, x = np.mgrid[:height, :width]
    array = np.stack([(x * 29 + y * 13 * (c + 1)) % 256 for c in range(channels)], -1).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(array[..., 0] if channels == 1 else array).save(out, "JPEG", **options)
    return out.getvalue()


def jpeg_files() -> dict[str, bytes]:
    files = {}
    sizes = [(1, 1), (8, 8), (17, 9), (16, 33)]
    for channels, progressive, (width, height), quality in itertools.product((1, 3), (False, True), sizes, (1, 50, 75, 95)):
        for sampling in ("4:4:4", "4:2:2", "4:2:0") if channels == 3 else ("4:4:4",):
            for restart in (0, 1, 2):
                name = f"{channels}_{progressive}_{width}x{height}_{quality}_{sampling.replace(':', '')}_{restart}"
                # Tables made for the picture are a quarter as long as the usual ones, which a few files keep.
                files[name] = jpeg(channels, width, height, quality=quality, subsampling=sampling, progressive=progressive,
                                   optimize=(width, quality) != (8, 50), restart_marker_blocks=restart)
    for channels, options in itertools.product((1, 3), ({"comment": b"a note"}, {"dpi": (72, 72)}, {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\0"},
                                                        {"icc_profile": b"profile"}, {"keep_rgb": True}, {"restart_marker_rows": 1})):
        files[f"{channels}_{next(iter(options))}"] = jpeg(channels, 9, 17, optimize=True, **options)
    return files
