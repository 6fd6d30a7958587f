# SPDX-License-Identifier: Apache-2.0
"""Small valid .npy, .npz and .pb files, made byte by byte: each function gives {name: content}."""

from __future__ import annotations

import itertools
import struct
import zlib

from protobuf_bytes import double, field, float32, message, numbers, varint

# --- .npy -----------------------------------------------------------------------------------------------------

DESCRS = ["|b1", "|i1", "|u1", *(f"{order}{kind}{width}" for kind, widths in (("i", (2, 4, 8)), ("u", (2, 4, 8)), ("f", (2, 4, 8)), ("c", (8, 16)))
                                 for width in widths for order in "<>")]
TEXTS = ["|S1", "|S3", "<U1", ">U2"]
# A type with extents, and bytes that are elements of it.
SHAPES = [(), (0,), (1,), (3,), (2, 2), (1, 0, 2), (1, 2, 1, 2), (1, 1, 1, 1, 1, 1, 2)]


def npy_header(descr: str, shape: tuple, fortran: bool, version: int, style: int = 0) -> bytes:
    """style: 0 as NumPy writes it; 1 without spaces; 2 with the keys in another order and double quotes; 3 without padding."""
    extents = f"({shape[0]},)" if len(shape) == 1 else "(" + ", ".join(map(str, shape)) + ")"
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {extents}, }}"
    if style == 1:
        text = text.replace(" ", "").replace(",}", "}")
    if style == 2:
        text = f'{{"shape": {extents}, "fortran_order": {fortran}, "descr": "{descr}"}}'
    before = 10 if version == 1 else 12
    padding = 0 if style == 3 else -(before + len(text) + 1) % 64
    header = (text + " " * padding + "\n").encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header


def npy_data(descr: str, shape: tuple) -> bytes:
    count = 1
    for extent in shape:
        count *= extent
    kind, width = descr[1], int(descr[2:]) * (4 if descr[1] == "U" else 1)
    if kind == "b":
        return bytes(i % 2 for i in range(count))
    if kind == "U":
        return (struct.pack(">I" if descr[0] == ">" else "<I", ord("é")) * (count * width))[:count * width]
    if kind == "S":
        return (b"ab\0" * (count * width))[:count * width]
    return bytes(i * 37 % 256 for i in range(count * width))


def npy(descr: str, shape: tuple, fortran: bool = False, version: int = 1, style: int = 0) -> bytes:
    return npy_header(descr, shape, fortran, version, style) + npy_data(descr, shape)


def npy_files() -> dict[str, bytes]:
    files = {}
    for index, (descr, shape) in enumerate(itertools.product(DESCRS + TEXTS, SHAPES)):
        fortran, version, style = bool(index % 3 == 1), (1, 2, 3)[index // 2 % 3], (index + index // 7) % 4
        files[f"{descr[1:]}_{'big' if descr[0] == '>' else 'little'}_{'x'.join(map(str, shape))}"] = npy(descr, shape, fortran, version, style)
    for fortran, version, style in itertools.product((False, True), (1, 2, 3), range(4)):
        for descr in ("<f4", ">i2", "|u1", ">c8"):
            files[f"layout_{descr[1:]}_{fortran}_{version}_{style}"] = npy(descr, (2, 3), fortran, version, style)
    return files


# --- .npz -----------------------------------------------------------------------------------------------------

STORED, DEFLATED = 0, 8


def deflated(data: bytes, level: int, strategy: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    return packer.compress(data) + packer.flush()


class Zip:
    """An archive. zip64: sizes in 64-bit fields, and a 64-bit end record; descriptor: sizes behind the data."""

    def __init__(self, zip64: bool = False, descriptor: bool = False, extra: bytes = b"", comment: bytes = b""):
        self.zip64, self.descriptor, self.extra, self.comment = zip64, descriptor, extra, comment
        self.body, self.directory, self.count = b"", b"", 0

    def add(self, name: str, data: bytes, method: int, level: int = 6, strategy: int = 0) -> Zip:
        packed = data if method == STORED else deflated(data, level, strategy)
        crc, flags, offset, encoded = zlib.crc32(data), 8 if self.descriptor else 0, len(self.body), name.encode()
        if not name.isascii():
            flags |= 0x800
        sizes = struct.pack("<II", len(packed), len(data))
        known = struct.pack("<I", 0) + b"\0" * 8 if self.descriptor else struct.pack("<I", crc) + sizes
        local_extra, extra = self.extra, self.extra
        if self.zip64:
            wide = struct.pack("<QQ", len(data), len(packed))
            local_extra += struct.pack("<HH", 1, 16) + (b"\0" * 16 if self.descriptor else wide)
            known, sizes = known[:4] + b"\xff" * 8, b"\xff" * 8
            extra += struct.pack("<HH", 1, 24) + wide + struct.pack("<Q", offset)
        version = 45 if self.zip64 else 20
        self.body += (b"PK\3\4" + struct.pack("<HHHHH", version, flags, method, 0, 0x21) + known
                      + struct.pack("<HH", len(encoded), len(local_extra)) + encoded + local_extra + packed)
        if self.descriptor:
            self.body += b"PK\7\x08" + struct.pack("<I", crc) + struct.pack("<QQ" if self.zip64 else "<II", len(packed), len(data))
        self.directory += (b"PK\1\2" + struct.pack("<HHHHHHI", version, version, flags, method, 0, 0x21, crc) + sizes
                           + struct.pack("<HHHHHII", len(encoded), len(extra), 0, 0, 0, 0, 0xffffffff if self.zip64 else offset)
                           + encoded + extra)
        self.count += 1
        return self

    def content(self) -> bytes:
        at, size = len(self.body), len(self.directory)
        end = struct.pack("<HHII", self.count, self.count, size, at)
        wide = b""
        if self.zip64:
            wide = (b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, self.count, self.count, size, at)
                    + b"PK\6\7" + struct.pack("<IQI", 0, at + size, 1))
            end = b"\xff" * 12
        return self.body + self.directory + wide + b"PK\5\6" + struct.pack("<HH", 0, 0) + end + struct.pack("<H", len(self.comment)) + self.comment


def npz_files() -> dict[str, bytes]:
    files = {}
    arrays = [npy(descr, shape, fortran, version, 3) for descr, shape, fortran, version in
              (("<f4", (2, 3), False, 1), (">i2", (5,), False, 2), ("|u1", (4, 4), True, 1), ("<f8", (), False, 3), ("|b1", (0,), False, 1),
               ("|S2", (2,), False, 1), ("<c8", (9,), False, 1), ("<i8", (3, 3), False, 2), ("<u2", (60,), False, 1), ("<f2", (8, 9), True, 1),
               ("|i1", (100,), False, 1), (">u4", (4, 5), False, 3), (">f8", (2, 2, 2), True, 2))]
    packings = [(STORED, 0, 0), (DEFLATED, 0, 0), (DEFLATED, 1, 0), (DEFLATED, 6, 0), (DEFLATED, 9, 0), (DEFLATED, 6, zlib.Z_FIXED),
                (DEFLATED, 6, zlib.Z_HUFFMAN_ONLY), (DEFLATED, 6, zlib.Z_RLE)]
    shapes = [{}, {"zip64": True}, {"descriptor": True}, {"zip64": True, "descriptor": True}, {"comment": b"a note"},
              {"extra": struct.pack("<HH", 0x5455, 5) + b"\1abcd"}]
    for (a, array), (p, packing), (s, options) in itertools.product(enumerate(arrays), enumerate(packings), enumerate(shapes)):
        files[f"one_{a}_{p}_{s}"] = Zip(**options).add("x.npy", array, *packing).content()
    for a, options in itertools.product(range(len(arrays)), shapes):
        several = Zip(**options)
        for k, name in enumerate(("x", "y.npy", "größe/ü.npy")[:2 + a % 2]):
            several.add(name, arrays[(a + k) % len(arrays)], *packings[(a + k) % len(packings)])
        files[f"several_{a}_{shapes.index(options)}"] = several.content()
    for length, fill in itertools.product((0, 1, 40, 300), (b"a", b"\0")):  # runs, which deflate to little
        array = npy("|u1", (length,), style=3)[:-length or None] + fill * length
        files[f"run_{length}_{fill[0]}"] = Zip().add("x.npy", array, DEFLATED, 9).content()
    return files


# --- .pb: a TensorProto ---------------------------------------------------------------------------------------

# The type's code, the bits of an element, and the field of typed data with its encoding of one value.
FLOAT_DATA, INT32_DATA, STRING_DATA, INT64_DATA, DOUBLE_DATA, UINT64_DATA = 4, 5, 6, 7, 10, 11
TYPES = {
    "float": (1, 32, FLOAT_DATA, float32), "uint8": (2, 8, INT32_DATA, varint), "int8": (3, 8, INT32_DATA, varint),
    "uint16": (4, 16, INT32_DATA, varint), "int16": (5, 16, INT32_DATA, varint), "int32": (6, 32, INT32_DATA, varint),
    "int64": (7, 64, INT64_DATA, varint), "bool": (9, 8, INT32_DATA, varint), "float16": (10, 16, INT32_DATA, varint),
    "double": (11, 64, DOUBLE_DATA, double), "uint32": (12, 32, UINT64_DATA, varint), "uint64": (13, 64, UINT64_DATA, varint),
    "complex64": (14, 64, FLOAT_DATA, float32), "complex128": (15, 128, DOUBLE_DATA, double), "bfloat16": (16, 16, INT32_DATA, varint),
    "float8e4m3fn": (17, 8, INT32_DATA, varint), "float8e4m3fnuz": (18, 8, INT32_DATA, varint), "float8e5m2": (19, 8, INT32_DATA, varint),
    "float8e5m2fnuz": (20, 8, INT32_DATA, varint), "uint4": (21, 4, INT32_DATA, varint), "int4": (22, 4, INT32_DATA, varint),
    "float4e2m1": (23, 4, INT32_DATA, varint), "float8e8m0": (24, 8, INT32_DATA, varint),
}
PB_SHAPES = [(), (0,), (1,), (3,), (2, 2), (1, 2, 1, 3), (5,)]


def tensor(type_: str, shape: tuple, form: str, name: str = "t", doc: str = "") -> bytes:
    """form: "raw", "packed" or "unpacked" typed data, "reversed": raw, with the fields in reverse order."""
    code, bits, data_field, encode = TYPES[type_]
    count = 1
    for extent in shape:
        count *= extent
    parts = [b"".join(field(1, extent) for extent in shape), field(2, code)]
    if form in ("raw", "reversed"):
        size = (count * bits + 7) // 8
        parts.append(field(9, bytes(i % 2 for i in range(size)) if type_ == "bool" else bytes(i * 3 % 16 for i in range(size))))
    else:
        entries = (count * bits + 7) // 8 if bits == 4 else count * (2 if type_.startswith("complex") else 1)
        values = [i % 2 for i in range(entries)]
        parts.append(numbers(data_field, values, encode, packed=form == "packed"))
    parts.append(field(8, name) if name else b"")
    parts.append(field(12, doc) if doc else b"")
    return b"".join(reversed(parts) if form == "reversed" else parts)


def strings(shape: tuple, values: list[bytes]) -> bytes:
    return b"".join(field(1, extent) for extent in shape) + field(2, 8) + b"".join(field(STRING_DATA, value) for value in values) + field(8, "t")


def pb_files() -> dict[str, bytes]:
    files = {}
    for index, (type_, shape) in enumerate(itertools.product(TYPES, PB_SHAPES)):
        for form in ("raw", "packed", "unpacked", "reversed")[index % 2::2]:
            name, doc = ("t", "", "größe")[index % 3], ("", "a note")[index % 2]
            files[f"{type_}_{'x'.join(map(str, shape))}_{form}"] = tensor(type_, shape, form, name, doc)
    for values in ([], [b""], [b"a"], [b"a", b"bc"], ["é".encode(), b"\xff\0", b""], [b"x" * 200]):
        files[f"string_{len(values)}_{sum(map(len, values))}"] = strings((len(values),), values)
    for type_ in ("float", "int64", "uint8"):
        whole = tensor(type_, (2, 2), "raw")
        files[f"unknown_fields_{type_}"] = whole + field(1000, 7) + field(1001, b"abc") + message(1002, field(1, 1))
        files[f"last_name_counts_{type_}"] = whole + field(8, "u")
        files[f"default_location_{type_}"] = whole + field(14, 0)
        packed_dims = numbers(1, [2, 2], varint, packed=True)
        files[f"packed_dims_{type_}"] = packed_dims + tensor(type_, (), "raw")[:2] + field(9, bytes(4 * TYPES[type_][1] // 8))
        files[f"split_data_{type_}"] = tensor(type_, (4,), "packed") if type_ == "uint8" else tensor(type_, (4,), "unpacked") + field(12, "n")
    return files
