# SPDX-License-Identifier: Apache-2.0
"""Files below 1 MiB that could take gigabytes or minutes: each function gives {name: content}.

BOMBS are stopped; the others may be accepted or refused, and must be cheap. Contents are pairs for IRs, as in ir_files.
"""

from __future__ import annotations

import struct
import zlib

import picture_files
from array_files import DEFLATED, STORED, Zip, npy, npy_header
from ir_files import EMPTY, Net, Pair
from picture_files import chunk
from protobuf_bytes import field, message, numbers, varint

LARGEST = (1 << 20) - 1  # bytes

# --- ONNX -----------------------------------------------------------------------------------------------------


def node(type_: str, inputs, outputs, *attributes: bytes, name: str = "", domain: str = "") -> bytes:
    return message(1, *(field(1, i) for i in inputs), *(field(2, o) for o in outputs), field(3, name) if name else b"", field(4, type_),
                   *attributes, field(7, domain) if domain else b"")


def onnx(*graph: bytes, opset: int = 19, more: bytes = b"") -> bytes:
    return field(1, 8) + message(7, *graph) + message(8, field(1, ""), field(2, opset)) + more


def value_info(number: int, name: str, dims: list[bytes] | None = None, type_: int = 1) -> bytes:
    shape = message(2, *dims) if dims is not None else b""
    return message(number, field(1, name), message(2, message(1, field(1, type_), shape)))


def ints(name: str, *values: int) -> bytes:
    """An initializer of int64."""
    return message(5, field(1, len(values)), field(2, 7), numbers(7, values, varint, packed=True), field(8, name))


def subgraph_attribute(name: str, *graph: bytes) -> bytes:
    return message(5, field(1, name), message(6, *graph), field(20, 5))


X = value_info(11, "x", [message(1, field(1, 2)), message(1, field(2, "N"))])
TWO = ints("r", 2, 1)


def chain(count: int, make, first: str = "x") -> bytes:
    """Nodes whose input is the output of the one before; make(k, source, target) gives one."""
    return b"".join(make(k, first if k == 0 else f"v{k - 1}", f"v{k}") for k in range(count))


def growing_chains() -> dict[str, bytes]:
    """Each node makes what is known of its output larger."""
    shape = node("Shape", ["x"], ["s"])
    tile = lambda k, source, target: node("Tile", [source, "r"], [target])
    return {
        "tiles": onnx(X, TWO, chain(30_000, tile)),
        "tiles_that_double": onnx(X, ints("r", 2, 2), chain(20_000, tile)),
        "concat_of_shapes": onnx(X, shape, chain(15_000, lambda k, a, b: node("Concat", [a, "s"], [b], AXIS_0), "s")),
        "concat_that_doubles": onnx(X, shape, chain(15_000, lambda k, a, b: node("Concat", [a, a], [b], AXIS_0), "s")),
        "concat_of_symbols": onnx(X, chain(15_000, lambda k, a, b: node("Concat", [a, "x"], [b], AXIS_1))),
        "concat_of_double_symbols": onnx(X, chain(15_000, lambda k, a, b: node("Concat", [a, a], [b], AXIS_1))),
        "sums_of_shapes": onnx(X, shape, chain(20_000, lambda k, a, b: node("Add", [a, "s"], [b]), "s")),
        "products_of_shapes": onnx(X, shape, chain(20_000, lambda k, a, b: node("Mul", [a, a], [b]), "s")),
        "unsqueeze": onnx(X, ints("a", 0), chain(20_000, lambda k, a, b: node("Unsqueeze", [a, "a"], [b]))),
        "identities": onnx(X, chain(35_000, lambda k, a, b: node("Identity", [a], [b]))),
        "one_concat_of_many": onnx(X, shape, node("Concat", ["s"] * 300_000, ["y"], AXIS_0)),
        "expand": onnx(X, shape, chain(15_000, lambda k, a, b: node("Expand", [a, "s"], [b]))),
        "reshape": onnx(X, shape, chain(15_000, lambda k, a, b: node("Reshape", [a, "s"], [b]))),
        "gathers": onnx(X, TWO, shape, chain(8_000, lambda k, a, b: node("Gather", [a, "r"], [b]), "s")),
    }


AXIS_0 = message(5, field(1, "axis"), field(3, 0), field(20, 2))
AXIS_1 = message(5, field(1, "axis"), field(3, 1), field(20, 2))


def large_graphs() -> dict[str, bytes]:
    leaf = node("Identity", ["x"], ["b"]) + value_info(12, "b")
    ifs = subgraph_attribute("then_branch", leaf) + subgraph_attribute("else_branch", leaf)
    nested = leaf
    for _ in range(60):
        nested = node("If", ["c"], ["b"], subgraph_attribute("then_branch", nested), *[
            message(5, field(1, "a" * 100), field(3, 1), field(20, 2))] * 100) + value_info(12, "b") + b"".join(
            value_info(13, f"w{k}") for k in range(10))
    fan = b"".join(node("Tile", ["x", "r"], [f"v{k}"]) for k in range(30_000))
    attribute = message(5, field(1, "mode"), field(4, "nearest"), field(20, 3))
    return {
        "fan": onnx(X, TWO, fan),
        "one_output_of_all": onnx(X, TWO, node("Tile", ["x", "r"], ["y"]) * 40_000),
        "cycle": onnx(b"".join(node("Tile", [f"v{(k + 1) % 30_000}", "r"], [f"v{k}"]) for k in range(30_000)), TWO),
        "backwards": onnx(X, TWO, b"".join(node("Tile", [f"v{k + 1}", "r"], [f"v{k}"]) for k in range(30_000)), node("Identity", ["x"], ["v30000"])),
        "undefined": onnx(b"".join(node("Tile", [f"u{k}", "r"], [f"v{k}"]) for k in range(30_000))),
        "many_inputs": onnx(X, node("Tile", ["x"] * 340_000, ["y"])),
        "many_outputs": onnx(X, TWO, node("Tile", ["x", "r"], ["y"] * 340_000)),
        "many_attributes": onnx(X, node("Resize", ["x", "", "s"], ["y"], attribute * 45_000)),
        "many_unknown_attributes": onnx(X, node("Resize", ["x", "", "s"], ["y"], *[
            message(5, field(1, f"a{k}"), field(3, 1), field(20, 2)) for k in range(60_000)])),
        "many_axes": onnx(X, ints("s", *[1] * 100_000), node("Resize", ["x", "", "", "s"], ["y"], message(
            5, field(1, "axes"), numbers(8, [0] * 400_000, varint, packed=True), field(20, 7)))),
        "many_values": onnx(X, b"".join(value_info(13, f"v{k}", [message(1, field(2, f"N{k}"))] * 2) for k in range(20_000))),
        "many_extents": onnx(value_info(11, "x", [message(1, field(1, 1))] * 200_000), node("Identity", ["x"], ["y"])),
        "many_graph_outputs": onnx(X, b"".join(value_info(12, "x") for _ in range(90_000))),
        "many_initializers": onnx(b"".join(ints(f"i{k}", 1) for k in range(50_000))),
        "one_initializer_of_all": onnx(ints("i", 1) * 60_000),
        "empty_strings": onnx(message(5, field(1, 500_000), field(2, 8), field(6, "") * 500_000, field(8, "i"))),
        "many_dims": onnx(message(5, field(1, 1) * 500_000, field(2, 1), field(8, "i"))),
        "many_ints": onnx(message(5, field(1, 1_000_000), field(2, 7), numbers(7, [1] * 1_000_000, varint, packed=True), field(8, "i"))),
        "many_ints_unpacked": onnx(message(5, field(1, 500_000), field(2, 7), numbers(7, [1] * 500_000, varint, packed=False), field(8, "i"))),
        "unknown_fields": onnx(X, field(1000, 1) * 300_000),
        "many_graphs": field(1, 8) + message(7, X) * 30_000,
        "many_imports": onnx(X, more=b"".join(message(8, field(1, f"d{k}"), field(2, 1)) for k in range(60_000))),
        "many_functions": onnx(X, more=b"".join(message(25, field(1, f"F{k}"), field(10, "d")) for k in range(60_000))),
        "one_function_of_all": onnx(X, node("F", ["x"], ["y"], domain="d") * 20_000, more=message(25, field(1, "F"), field(10, "d")) * 50_000),
        "many_properties": onnx(X, more=b"".join(message(14, field(1, f"k{k}"), field(2, "v")) for k in range(60_000))),
        "ifs": onnx(X, value_info(11, "c", [], 9), b"".join(node("If", ["c"], [f"v{k}"], ifs) for k in range(7_000))),
        "nested_ifs": onnx(X, value_info(11, "c", [], 9), nested),
        "long_name": onnx(X, TWO, node("Tile", ["x", "r"], ["y"], name="n" * 1_000_000)),
        "long_domain": onnx(X, node("Tile", ["x", "r"], ["y"], domain="d" * 1_000_000)),
        "long_symbol": onnx(value_info(11, "x", [message(1, field(2, "N" * 500_000))]), ints("r", 2),
                            chain(10_000, lambda k, a, b: node("Tile", [a, "r"], [b]))),
        "deep_groups": varint(100 << 3 | 3) * 500_000,
        "opset_2_to_40": onnx(X, node("Tile", ["x", "r"], ["y"]), opset=2**40),
    }


# --- IR -------------------------------------------------------------------------------------------------------


def net(layers: str, edges: str = "", after: str = "") -> Pair:
    first = '<layer id="0" name="p" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0"/></output></layer>'
    return f'<net name="n" version="11"><layers>{first}{layers}</layers><edges>{edges}</edges>{after}</net>'.encode(), EMPTY


def ir_costs() -> dict[str, Pair]:
    tiles = Net()
    source, repeats = tiles.parameter("f32", "?"), tiles.integers(2)
    for _ in range(2_800):
        source = tiles.add("Tile", "opset1", "", (source, repeats), "")
    fan = Net()
    source, repeats = fan.parameter("f32", "?"), fan.integers(2)
    targets = [fan.add("Tile", "opset1", "", (source, repeats), "") for _ in range(2_000)]
    back = "".join(f'<layer id="{k}" name="l" type="Relu" version="opset1"><input><port id="0"/></input><output><port id="1"/></output></layer>'
                   for k in range(1, 4_000))
    cycle = "".join(f'<edge from-layer="{k % 3999 + 1}" from-port="1" to-layer="{k}" to-port="0"/>' for k in range(1, 4_000))
    return {
        "tiles": tiles.pair(source),
        "fan": fan.pair(*targets[:100]),
        "cycle": net(back, cycle),
        "empty_layers": net("<layer/>" * 120_000),
        "many_layers": net("".join(f'<layer id="{k}" type="R" version="x"/>' for k in range(1, 25_000))),
        "many_ports": net('<layer id="1" type="R" version="x"><output>' + "".join(f'<port id="{k}"/>' for k in range(55_000)) + "</output></layer>"),
        "many_attributes": net('<layer id="1" type="R" version="x"><data ' + " ".join(f'a{k}="1"' for k in range(80_000)) + "/></layer>"),
        "one_attribute": net('<layer id="1" type="R" version="x"><data ' + 'a="1" ' * 150_000 + "/></layer>"),
        "many_edges": net("", '<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>' * 15_000),
        "many_dims": net('<layer id="1" type="R" version="x"><output><port id="0">' + "<dim>1</dim>" * 80_000 + "</port></output></layer>"),
        "long_shape": net(f'<layer id="1" type="Parameter" version="opset1"><data shape="{"1," * 500_000}1" element_type="f32"/></layer>'),
        "entities": net(f'<layer id="1" name="{"&amp;" * 200_000}" type="R" version="x"/>'),
        "comments": net("<!---->" * 140_000),
        "cdata": net("<![CDATA[]]>" * 80_000),
        "text": net("a<b/>" * 180_000),
        "nested": net("<a>" * 140_000 + "</a>" * 140_000),
        "nested_unclosed": net("<a>" * 340_000),
        "attributes_of_many": net("<a b='' c='' d=''/>" * 50_000),
        "many_names": net(f'<layer id="1" type="R" version="x"><output><port id="0" names="{"a," * 500_000}"/></output></layer>'),
        "rt_info": net("", after="<rt_info>" + '<info name="a" value="b"/>' * 38_000 + "</rt_info>"),
        "long_name": net(f'<layer id="1" name="{"n" * 1_000_000}" type="R" version="x"/>'),
        "lines": net("\n" * 1_000_000),
    }


# --- Arrays ---------------------------------------------------------------------------------------------------


def npy_text(text: str, data: bytes = b"") -> bytes:
    return b"\x93NUMPY\2\0" + struct.pack("<I", len(text)) + text.encode() + data


def npy_shaped(descr: str, shape: str, data: bytes = b"", fortran: bool = False) -> bytes:
    return npy_text(f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n", data)


def npy_costs() -> dict[str, bytes]:
    most = 1_000_000
    twos = "(" + "2, " * 19 + ")"
    return {
        "strings_of_1": npy_shaped("|S1", f"({most},)", b"a" * most),
        "letters": npy_shaped("<U1", f"({most // 4},)", b"a\0\0\0" * (most // 4)),
        "long_letters": npy_shaped("<U250000", "(1,)", b"a\0\0\0" * 250_000),
        "high_letters": npy_shaped("<U1", f"({most // 4},)", struct.pack("<I", 0x10ffff) * (most // 4)),
        "no_letters": npy_shaped("|S0", f"({10**9},)"),
        "no_unicode": npy_shaped("<U0", f"({10**9},)"),
        "no_bytes": npy_shaped("|V0", f"({10**12},)"),
        "many_axes_in_fortran_order": npy_shaped("|u1", twos, bytes(2**19), True),
        "columns_in_fortran_order": npy_shaped("<f8", "(2, 65000)", bytes(8 * 130_000), True),
        "strings_in_fortran_order": npy_shaped("|S1", "(1000, 1000)", b"a" * most, True),
        "big_endian": npy_shaped(">c16", "(60000,)", bytes(960_000)),
        "many_extents": npy_shaped("<f4", "(" + "1," * 30_000 + ")"),
        "nested_brackets": npy_text("(" * 65_000),
        "nested_dicts": npy_text("{'a':" * 13_000),
        "spaces": npy_text(" " * 65_000),
        "keys": npy_text("{" + "'descr': '<f4', " * 4_000 + "}"),
        "digits": npy_shaped("<f4", "(" + "1" * 60_000 + ",)"),
        "empty_of_many": npy_shaped("<f4", f"(0, {2**62}, {2**62})"),
    }


def npz_costs() -> dict[str, bytes]:
    array, small = npy("<f4", (2,), style=3), npy_header("|u1", (0,), False, 1, 3)
    many = Zip()
    for k in range(4_000):
        many.add(f"{k}.npy", small, STORED)
    named = Zip()
    for k in range(14):
        named.add("n" * 32_000 + str(k), array, STORED)
    zeros = lambda count: npy_shaped("|u1", f"({count},)", bytes(count))
    return {
        "many_entries": many.add("x.npy", array, STORED).content(),
        "long_names": named.add("x.npy", array, STORED).content(),
        "long_comment": Zip(comment=b"PK\5\6" * 16_000).add("x.npy", array, STORED).content(),
        "long_extra": Zip(extra=struct.pack("<HH", 9, 0) * 16_000).add("x.npy", array, STORED).content(),
        "end_records": b"PK\5\6" * 250_000 + Zip().add("x.npy", array, STORED).content(),
        "zeros": Zip().add("x.npy", zeros(100 << 20), DEFLATED, 9).content(),
        "strings": Zip().add("x.npy", npy_shaped("|S1", "(2000000,)", b"a" * 2_000_000), DEFLATED, 9).content(),
        "incompressible": Zip().add("x.npy", npy("|u1", (900_000,), style=3), DEFLATED, 0).content(),
    }


def pb_costs() -> dict[str, bytes]:
    return {
        "empty_strings": field(1, 500_000) + field(2, 8) + field(6, "") * 500_000,
        "short_strings": field(1, 340_000) + field(2, 8) + field(6, "a") * 340_000,
        "many_dims": field(1, 1) * 500_000 + field(2, 1),
        "unknown_fields": field(2, 1) + field(1000, 1) * 300_000,
        "names": field(8, "n") * 340_000 + field(2, 1),
        "external": message(13, field(1, "k"), field(2, "v")) * 120_000 + field(2, 1) + field(14, 1),
        "bytes": field(1, 1_000_000) + field(2, 2) + numbers(5, [1] * 1_000_000, varint, packed=True),
        "long_varints": field(1, 95_000) + field(2, 7) + numbers(7, [-1] * 95_000, varint, packed=True),
        "groups": varint(100 << 3 | 3) * 500_000,
    }


# --- Pictures -------------------------------------------------------------------------------------------------


def png_of(width: int, height: int, depth: int, color: int, data: bytes, interlaced: int = 0, before: bytes = b"") -> bytes:
    head = chunk("IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + head + before + data + chunk("IEND", b"")


def png_costs() -> dict[str, bytes]:
    black = lambda width, height, depth, channels: chunk("IDAT", zlib.compress(bytes((1 + (width * depth * channels + 7) // 8) * height), 9))
    pixel = chunk("IDAT", zlib.compress(b"\0\0"))
    packed = zlib.compress(b"\0\0")
    return {
        "empty_chunks": png_of(1, 1, 8, 0, pixel, before=chunk("prVt", b"") * 85_000),
        "empty_texts": png_of(1, 1, 8, 0, pixel, before=chunk("tEXt", b"a\0") * 70_000),
        "empty_data": png_of(1, 1, 8, 0, chunk("IDAT", b"") * 85_000 + pixel),
        "bytes_of_data": png_of(1, 1, 8, 0, b"".join(chunk("IDAT", packed[k:k + 1]) for k in range(len(packed)))),
        "packed_texts": png_of(1, 1, 8, 0, pixel, before=chunk("zTXt", b"a\0\0" + zlib.compress(bytes(60 << 20), 9))),
        "packed_profile": png_of(1, 1, 8, 0, pixel, before=chunk("iCCP", b"a\0\0" + zlib.compress(bytes(60 << 20), 9))),
        "black_of_1_bit": png_of(8_000, 8_000, 1, 0, black(8_000, 8_000, 1, 1)),
        "black_of_64_bits": png_of(3_000, 3_000, 16, 6, black(3_000, 3_000, 16, 4)),
        "one_column": png_of(1, 1 << 20, 8, 0, black(1, 1 << 20, 8, 1)),
        "one_row": png_of(1 << 20, 1, 8, 0, black(1 << 20, 1, 8, 1)),
        "interlaced_column": png_of(1, 1 << 19, 8, 0, black(1, 1 << 19, 8, 1) , 1),
        "palettes": png_of(1, 1, 8, 3, pixel, before=chunk("PLTE", bytes(768)) * 1_300),
    }


def jpeg_costs() -> dict[str, bytes]:
    plain = picture_files.jpeg(3, 64, 64, quality=50)
    progressive = picture_files.jpeg(3, 512, 512, quality=1, progressive=True)
    start = plain.index(b"\xff\xda")
    comment, table = b"\xff\xfe\0\2", plain[plain.index(b"\xff\xdb"):][:69]
    huffman = plain[plain.index(b"\xff\xc4"):]
    huffman = huffman[:2 + struct.unpack(">H", huffman[2:4])[0]]
    sized = lambda height, width: plain[:plain.index(b"\xff\xc0") + 5] + struct.pack(">HH", height, width) + plain[plain.index(b"\xff\xc0") + 9:]
    scan = progressive.index(b"\xff\xda")
    return {
        "comments": plain[:2] + comment * 250_000 + plain[2:],
        "tables": plain[:2] + table * 14_000 + plain[2:],
        "huffman_tables": plain[:start] + huffman * (900_000 // len(huffman)) + plain[start:],
        "restarts": plain[:-2] + b"\xff\xd0" * 500_000 + b"\xff\xd9",
        "fill_bytes": plain[:2] + b"\xff" * 1_000_000 + plain[2:],
        "large_progressive": picture_files.jpeg(3, 2_000, 2_000, quality=1, progressive=True)[:LARGEST],
        "large": picture_files.jpeg(3, 2_000, 2_000, quality=1)[:LARGEST],
        "one_column": picture_files.jpeg(1, 1, 65_000, quality=1),
        "one_row": picture_files.jpeg(1, 65_000, 1, quality=1),
        "many_scans": progressive[:scan] + progressive[scan:-2] * (900_000 // len(progressive)) + b"\xff\xd9",
        "claims_more": sized(65_000, 65_000),
    }


# --- Bombs: files that must be stopped, whatever their size ---------------------------------------------------


def bombs() -> dict[str, bytes | Pair]:
    """By full name, because each has its format."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    mebibyte = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)  # may be repeated
    packed = mebibyte * 1024 + packer.flush()
    header = npy_header("|u1", (10 << 30,), False, 1, 3)

    def claimed(claim: int, stored: bytes) -> bytes:
        """An archive of one entry, with another size than it unpacks to."""
        local = struct.pack("<HHHHHIIIHH", 20, 0, DEFLATED, 0, 0x21, 0, len(stored), claim, 5, 0) + b"x.npy"
        central = struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, DEFLATED, 0, 0x21, 0, len(stored), claim, 5, 0, 0, 0, 0, 0, 0) + b"x.npy"
        body = b"PK\3\4" + local + stored
        return body + b"PK\1\2" + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central) + 4, len(body), 0)

    laughs = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    return {
        "gigabyte.npz": claimed(1 << 30, packed),
        "gigabyte_that_claims_a_megabyte.npz": claimed(1 << 20, packed),
        "gigabyte_that_claims_4.npz": claimed(0xfffffffe, packed),
        "ten_gigabytes.npy": header,
        "strings.npy": npy_shaped("|S0", f"({2**40},)"),
        "largest.png": png_of(2**31 - 1, 2**31 - 1, 8, 6, chunk("IDAT", b"")),
        "pixels_without_data.png": png_of(16_000, 16_000, 8, 0, chunk("IDAT", b"")),
        "column.png": png_of(1, 2**28, 8, 0, chunk("IDAT", zlib.compress(bytes(1 << 20), 9))),
        "interlaced_column.png": png_of(1, 2**28, 8, 0, chunk("IDAT", zlib.compress(bytes(1 << 20), 9)), 1),
        "largest.jpg": jpeg_costs()["claims_more"],
        "laughs.xml": (f'<!DOCTYPE net [<!ENTITY a0 "ha">{laughs}]><net name="&a9;" version="11"/>'.encode(), EMPTY),
        "nested.xml": (b"<a>" * 300_000, EMPTY),
        "constant.xml": net(
            '<layer id="1" name="c" type="Const" version="opset1"><data element_type="f32" shape="1000000000" offset="0" '
            f'size="{4 * 10**9}"/><output><port id="0"/></output></layer>'
            '<layer id="2" name="y" type="Result" version="opset1"><input><port id="0"/></input></layer>',
            '<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>'),
        "nodes.onnx": onnx(field(1, b"") * 5_000_000),
        "groups.onnx": varint(100 << 3 | 3) * 10_000_000,
        "initializer.onnx": onnx(message(5, field(1, 2**40), field(2, 2), field(8, "i"), field(9, b""))),
        "tensor.pb": field(1, 2**40) + field(2, 2) + field(9, b"a"),
        "strings.pb": field(1, 2**40) + field(2, 8),
    }


COSTS = {
    "onnx": lambda: growing_chains() | large_graphs(),
    "xml": ir_costs,
    "npy": npy_costs,
    "npz": npz_costs,
    "pb": pb_costs,
    "png": png_costs,
    "jpg": jpeg_costs,
}


def write(folder, files: dict, extension: str = ""):
    """The paths of the files, which are called as the keys and the extension say."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in files.items():
        path = folder / (name + extension)
        paths.append(path)
        if isinstance(content, tuple):
            path.with_suffix(".bin").write_bytes(content[1])
            content = content[0]
        path.write_bytes(content)
    return paths
