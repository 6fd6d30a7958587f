# SPDX-License-Identifier: Apache-2.0
"""Bad files of the catalogue, bad_input.json: each with its row, its name and what a call says of it."""

from __future__ import annotations

import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "sweeps"))

import costly_files
import onnx_files
import picture_files
from array_files import DEFLATED, Zip, npy, tensor
from costly_files import TWO, X, net, node, npy_shaped, npy_text, onnx, png_of
from picture_files import chunk
from protobuf_bytes import field, message, varint


@dataclass
class BadFile:
    """kinds: of the error, or of the first fault that a check of the model finds. bin: the constants of an IR."""

    number: int
    name: str
    content: bytes
    kinds: str
    bin: bytes = b"\0"

    def is_model(self) -> bool:
        return self.name.endswith((".onnx", ".xml"))


TILE = node("Tile", ["x", "r"], ["y"], name="up1")
GOOD = onnx(X, TWO, TILE)


def weights(*fields: bytes) -> bytes:
    """A model with an initializer of these fields."""
    return onnx(message(5, *fields, field(8, "w")), node("Identity", ["w"], ["y"]))


def external(**entries: str) -> bytes:
    return weights(field(1, 2), field(2, 1), *(message(13, field(1, key), field(2, text)) for key, text in entries.items()), field(14, 1))


def nested(depth: int) -> bytes:
    graph = node("Identity", ["x"], ["b"])
    for _ in range(depth):
        graph = node("If", ["c"], ["b"], costly_files.subgraph_attribute("then_branch", graph))
    return onnx(X, graph)


def constant(offset: str, size: str, type_: str = "f32", shape: str = "4") -> bytes:
    return net(f'<layer id="1" name="c" type="Const" version="opset1"><data element_type="{type_}" shape="{shape}" offset="{offset}" size="{size}"/>'
               '<output><port id="0"/></output></layer><layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>',
               '<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>')[0]


def layers(text: str, edges: str = "") -> bytes:
    return net(text, edges)[0]


def filled(value: bytes) -> bytes:
    attribute = message(5, field(1, "value"), message(5, value), field(20, 4))
    return onnx(costly_files.ints("s", 2), node("ConstantOfShape", ["s"], ["y"], attribute))


def function_chain(count: int) -> bytes:
    calls = [message(7, field(1, "a"), field(2, "b"), field(4, f"F{k + 1}"), field(7, "d")) for k in range(count)]
    bodies = [message(25, field(1, f"F{k}"), field(4, "a"), field(5, "b"), call, message(9, field(1, "d"), field(2, 1)), field(10, "d"))
              for k, call in enumerate(calls)]
    return onnx(X, node("F0", ["x"], ["y"], domain="d"), more=message(8, field(1, "d"), field(2, 1)) + b"".join(bodies))


MODE = message(5, field(1, "mode"), field(4, "nearest"), field(20, 3))
ONNX_COSTS, IR_COSTS, BOMBS = costly_files.large_graphs(), costly_files.ir_costs(), costly_files.bombs()
RELU = '<layer id="{}" name="l" type="Relu" version="opset1"><input><port id="0"/></input><output><port id="1"/></output></layer>'

MODELS = [
    BadFile(15, "repeats_of_another_type.onnx", onnx(X, costly_files.value_info(11, "r", [message(1, field(1, 2))]), TILE), "type"),
    BadFile(23, "value_of_2_bytes.onnx", filled(field(1, 1) + field(2, 1) + field(9, b"ab")), "parse"),
    BadFile(24, "value_that_overflows.onnx", filled(field(1, 2**62) + field(1, 4) + field(2, 1)), "shape parse"),
    BadFile(64, "attribute_twice.onnx", onnx(X, message(5, field(1, 2), field(2, 1), field(4, 1.0), field(4, 2.0), field(8, "r")),
                                             node("Resize", ["x", "", "r"], ["y"], MODE, MODE)), "attribute"),
    *(BadFile(85, f"{name}.onnx", content, "legal") for name, content in onnx_files.encoded_models().items()),
    BadFile(86, "functions.onnx", function_chain(3000), "legal"),
    BadFile(99, "claim.onnx", external(location="claim.onnx", length=str(10**15)), "truncated value parse"),
    BadFile(140, "long_name.xml", IR_COSTS["long_name"][0], "legal"),
    BadFile(141, "ports.xml", IR_COSTS["many_ports"][0], "legal"),
    BadFile(141, "attributes.xml", IR_COSTS["many_attributes"][0], "legal"),
    BadFile(143, "nested_graphs.onnx", ONNX_COSTS["nested_ifs"], "legal parse"),
    BadFile(144, "many_values.onnx", ONNX_COSTS["many_values"], "legal"),
    BadFile(144, "long_list.onnx", ONNX_COSTS["many_axes"], "legal limit"),
    BadFile(145, "many_inputs.onnx", ONNX_COSTS["many_inputs"], "parse count"),
    BadFile(79, "empty.onnx", b"", "parse truncated"),
    BadFile(79, "one_byte.onnx", b"\x08", "parse truncated"),
    BadFile(79, "prefix.onnx", GOOD[:-9], "truncated parse"),
    BadFile(80, "flip.onnx", bytes([GOOD[0] ^ 4]) + GOOD[1:], "parse truncated unsupported"),
    BadFile(81, "long_varint.onnx", field(1, 8)[:1] + b"\xff" * 11 + GOOD, "parse"),
    BadFile(81, "tag_0.onnx", b"\0\0" + GOOD, "parse"),
    BadFile(81, "wire_type_6.onnx", b"\x0e" + GOOD, "parse"),
    BadFile(81, "end_of_a_group.onnx", GOOD + varint(9 << 3 | 4), "parse"),
    BadFile(82, "length_2_to_63.onnx", b"\x3a" + varint(2**63 - 1) + GOOD, "truncated parse"),
    BadFile(82, "length_beyond.onnx", b"\x3a" + varint(len(GOOD)) + b"a", "truncated parse"),
    BadFile(83, "groups.onnx", varint(100 << 3 | 3) * 1_000_000, "parse"),
    BadFile(83, "nested.onnx", nested(70), "limit"),
    BadFile(84, "nodes.onnx", onnx(field(1, b"") * 5_000_000), "limit"),
    BadFile(87, "opset_2_to_40.onnx", onnx(X, TWO, TILE, opset=2**40), "parse unsupported"),
    BadFile(87, "opset_below_0.onnx", onnx(X, TWO, TILE, opset=-1), "parse unsupported"),
    BadFile(87, "opset_missing.onnx", field(1, 8) + message(7, X, TWO, TILE), "parse unsupported"),
    BadFile(88, "type_99.onnx", weights(field(1, 1), field(2, 99), field(9, b"abcd")), "type parse unsupported"),
    BadFile(89, "cycle.onnx", onnx(TWO, node("Tile", ["y", "r"], ["y"])), "parse"),
    BadFile(89, "twice.onnx", onnx(X, TWO, TILE, TILE), "parse"),
    BadFile(89, "undefined.onnx", onnx(TWO, TILE), "parse"),
    BadFile(90, "raw_data_short.onnx", weights(field(1, 2), field(2, 1), field(9, b"abcdefg")), "parse"),
    BadFile(90, "raw_data_long.onnx", weights(field(1, 2), field(2, 1), field(9, b"abcdefghi")), "parse"),
    BadFile(91, "extent_below_0.onnx", weights(field(1, -2), field(2, 1), field(9, b"abcd")), "parse shape"),
    BadFile(91, "extents_that_wrap.onnx", weights(field(1, 2**31), field(1, 2**31), field(2, 1), field(9, bytes(16))), "parse shape"),
    BadFile(92, "two_kinds_of_data.onnx", weights(field(1, 1), field(2, 1), field(4, 1.0), field(9, b"abcd")), "parse value"),
    BadFile(92, "uint8_of_300.onnx", weights(field(1, 1), field(2, 2), field(5, 300)), "parse value"),
    *(BadFile(93, f"external_{k}.onnx", external(location=path), "path") for k, path in enumerate(
        ("../../etc/passwd", "a/../../x", "/etc/passwd", "..\\x", "a\0b", ""))),
    BadFile(95, "external_device.onnx", external(location="/dev/zero"), "path"),
    *(BadFile(96, f"offset_{k}.onnx", external(location="bad.data", **entries), "value parse truncated io path") for k, entries in enumerate(
        ({"offset": "-1"}, {"offset": "abc"}, {"offset": str(2**64)}, {"offset": "8", "length": str(2**63 - 1)}, {"length": "1000000000000000"}))),
    BadFile(98, "marker.onnx", external(location="*/_ORT_MEM_ADDR_/*", offset="4096", length="8"), "path io"),
    BadFile(100, "offset_that_wraps.xml", constant(str(2**63 - 51), "100", shape="25"), "truncated value"),
    BadFile(101, "offset_below_0.xml", constant("-1", "16"), "value attribute"),
    BadFile(101, "size_in_words.xml", constant("0", "1e3"), "value attribute"),
    BadFile(101, "size_of_another_type.xml", constant("0", "16", "i4"), "value shape attribute"),
    BadFile(102, "tags.xml", b"<a>" * 100_000 + b"</a>" * 100_000, "limit"),
    BadFile(103, "laughs.xml", BOMBS["laughs.xml"][0], "parse"),
    BadFile(103, "entity.xml", b'<!DOCTYPE net [<!ENTITY e SYSTEM "file:///etc/passwd">]><net name="&e;" version="11"/>', "parse"),
    BadFile(104, "cut.xml", layers("")[:-1], "parse"),
    BadFile(104, "utf16.xml", layers("").decode().encode("utf-16"), "parse"),
    BadFile(104, "zero_byte.xml", layers("").replace(b"<edges>", b"<edges>\0"), "parse"),
    BadFile(105, "id_twice.xml", layers(RELU.format(1) * 2), "parse"),
    BadFile(105, "id_2_to_63.xml", layers(RELU.format(2**63)), "parse"),
    BadFile(105, "edge_to_nothing.xml", layers("", '<edge from-layer="0" from-port="0" to-layer="7" to-port="0"/>'), "parse"),
    BadFile(105, "cycle.xml", layers(RELU.format(1), '<edge from-layer="1" from-port="1" to-layer="1" to-port="0"/>'), "parse"),
    *(BadFile(106, f"shape_{k}.xml", layers(f'<layer id="1" name="x" type="Parameter" version="opset1"><data shape="{shape}" element_type="f32"/>'
                                            '<output><port id="0"/></output></layer>'), "parse shape limit")
      for k, shape in enumerate(("1,,2", "-2,3", "1," * 500_000 + "1", str(2**63)))),
    BadFile(107, "short_bin.xml", constant("0", "16"), "truncated", b"abc"),
]


def zip_of(name: str = "x.npy", flags: int = 0, method: int = 0, crc: int | None = None, data: bytes = npy("<f4", (2,), style=3)) -> bytes:
    archive = bytearray(Zip().add(name, data, 0).content())
    central = archive.index(b"PK\1\2")
    for at, value in ((6, flags), (8, method), (central + 8, flags), (central + 10, method)):
        archive[at:at + 2] = struct.pack("<H", value)
    if crc is not None:
        archive[central + 16:central + 20] = struct.pack("<I", crc)
    return bytes(archive)


def png_head(width: int, height: int, data: bytes = b"") -> bytes:
    return png_of(width, height, 8, 0, chunk("IDAT", data))


JPEG = picture_files.jpeg(3, 16, 16, quality=50)
TENSORS = [
    BadFile(110, "header_beyond.npy", b"\x93NUMPY\1\0" + struct.pack("<H", 65535) + b"{", "truncated limit"),
    BadFile(110, "header_of_4_gib.npy", b"\x93NUMPY\2\0" + struct.pack("<I", 2**32 - 1) + b"{", "truncated limit"),
    BadFile(111, "pickle.npy", npy_shaped("|O", "(1,)", b"abcd"), "unsupported"),
    BadFile(112, "nested.npy", npy_text("(" * 10_000), "parse shape limit"),
    BadFile(112, "header_of_10_mb.npy", npy_text(" " * 10_000_000), "limit"),
    BadFile(113, "shape_that_wraps.npy", npy_shaped("<f4", f"({2**62}, {2**62})"), "shape"),
    BadFile(113, "shape_below_0.npy", npy_shaped("<f4", "(-1,)"), "shape parse"),
    BadFile(113, "shape_of_words.npy", npy_shaped("<f4", "('a',)"), "shape parse"),
    BadFile(114, "odd_width.npy", npy_shaped("<f3", "(1,)", b"abc"), "type unsupported"),
    BadFile(114, "date.npy", npy_shaped("<M8[s]", "(1,)", bytes(8)), "type unsupported"),
    BadFile(114, "records.npy", npy_text("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", bytes(4)), "type unsupported parse"),
    BadFile(115, "order_twice.npy", npy_text("{'descr': '<f4', 'fortran_order': True, 'fortran_order': True, 'shape': (), }\n", bytes(4)), "parse"),
    BadFile(115, "bytes_behind.npy", npy("<f4", (2,)) + b"a", "parse"),
    BadFile(116, "gigabyte.npz", BOMBS["gigabyte.npz"], "limit"),
    BadFile(117, "encrypted.npz", zip_of(flags=1), "unsupported"),
    BadFile(117, "method_99.npz", zip_of(method=99), "unsupported"),
    BadFile(117, "twice.npz", Zip().add("x.npy", npy("<f4", (2,)), 0).add("x.npy", npy("<f4", (2,)), 0).content(), "parse"),
    BadFile(119, "checksum.npz", zip_of(crc=7), "parse"),
    BadFile(119, "deflated_early.npz", Zip().add("x.npy", npy("<f4", (2,)), DEFLATED).content().replace(b"PK\1\2", b"PK\1\3"), "parse truncated"),
    BadFile(119, "array_early.npz", zip_of(data=npy("<f4", (2,))[:-1]), "truncated"),
    BadFile(120, "segment.pb", tensor("float", (1,), "raw") + message(3, field(1, 0), field(2, 1)), "unsupported"),
    BadFile(120, "type_99.pb", field(1, 1) + field(2, 99) + field(9, b"abcd"), "type unsupported"),
    BadFile(120, "external.pb", field(1, 1) + field(2, 1) + message(13, field(1, "location"), field(2, "x")) + field(14, 1), "unsupported"),
    BadFile(120, "prefix.pb", tensor("float", (3,), "raw")[:-5], "truncated parse"),
    BadFile(121, "largest.png", png_head(2**31 - 1, 2**31 - 1), "limit"),
    BadFile(124, "pixels_early.png", png_head(8, 8, zlib.compress(bytes(40))), "truncated"),
    BadFile(124, "prefix.png", picture_files.png(8, 8, 2, 8, False)[:-20], "truncated"),
    BadFile(125, "no_width.png", png_head(0, 4), "value"),
    BadFile(125, "no_height.png", png_head(4, 0), "value"),
    BadFile(127, "cut_tables.jpg", JPEG[:200] + b"\xff" * 40 + JPEG[240:], "parse truncated"),
    BadFile(128, "12_bits.jpg", JPEG.replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x11\x0c"), "unsupported parse"),
    BadFile(128, "arithmetic.jpg", JPEG.replace(b"\xff\xc0", b"\xff\xc9"), "unsupported parse"),
    BadFile(128, "largest.jpg", BOMBS["largest.jpg"], "limit"),
    BadFile(146, "strings.npz", Zip().add("x.npy", npy_shaped("|S1", f"({100 << 20},)", b"a" * (100 << 20)), DEFLATED, 9).content(), "limit"),
    BadFile(147, "column.png", BOMBS["column.png"], "truncated limit"),
]
