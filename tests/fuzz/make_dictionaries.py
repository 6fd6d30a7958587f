# SPDX-License-Identifier: Apache-2.0
"""Writes the dictionaries of the fuzz targets: words that files contain. Argument: the command line program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Beside the library's own words: those of the formats.
ONNX = ["Constant", "Identity", "Shape", "Gather", "Concat", "Cast", "If", "Loop", "value", "value_int", "value_ints",
        "then_branch", "else_branch", "location", "offset", "length", "ai.onnx"]
IR = ["<?xml version=\"1.0\"?>", "<net name=\"", "<layers>", "</layers>", "<layer id=\"", "name=\"", "type=\"",
      "version=\"opset1\"", "version=\"opset4\"", "version=\"opset11\"", "<data ", "shape=\"", "element_type=\"",
      "offset=\"", "size=\"", "<input>", "</input>", "<output>", "</output>", "<port id=\"", "names=\"", "<dim>",
      "</dim>", "</port>", "<edges>", "</edges>", "<edge from-layer=\"", "from-port=\"", "to-layer=\"", "to-port=\"",
      "Parameter", "Const", "Result", "<rt_info>", "<!DOCTYPE", "<!--", "-->", "<![CDATA[", "&#x"]
TENSOR = ["\x93NUMPY\x01\x00", "\x93NUMPY\x02\x00", "{'descr': '", "'fortran_order': False, 'shape': (", "), }", "<f4",
          "|u1", ">i8", "|S3", "<U2", "PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", ".npy",
          "\x89PNG\r\n\x1a\n", "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "iCCP", "zTXt", "eXIf", "\xff\xd8\xff",
          "\xff\xc0", "\xff\xc2", "\xff\xc4", "\xff\xda", "\xff\xdb", "\xff\xdd", "\xff\xd9", "JFIF\x00"]


def quoted(word: str) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in "\"\\" else f"\\x{byte:02x}"
                   for byte in word.encode("latin-1"))


def words_of(program: str, domain: str) -> set[str]:
    listed = json.loads(subprocess.run([program, "ops", "--json"], check=True, capture_output=True).stdout)
    words = set()
    for row in listed["operators"]:
        if row["domain"] != domain:
            continue
        words.add(row["operator"])
        words |= {port["name"] for port in row["inputs"]}
        words |= {name for port in row["inputs"] for name in port["types"]} if domain else set()
        for attribute in row["attributes"]:
            words |= {attribute["name"], *attribute.get("allowed", [])}
    return words


def dictionaries(program: str) -> dict[str, str]:
    lists = {"onnx": words_of(program, "") | set(ONNX), "ir": words_of(program, "openvino") | set(IR),
             "tensor": set(TENSOR)}
    return {f"{name}.dict": "".join(f'"{quoted(word)}"\n' for word in sorted(words) if word)
            for name, words in lists.items()}


if __name__ == "__main__":
    for name, text in dictionaries(sys.argv[1]).items():
        (HERE / name).write_text(text, encoding="ascii")
