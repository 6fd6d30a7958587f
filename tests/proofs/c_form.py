# SPDX-License-Identifier: Apache-2.0
"""The C form of src/plan/index_arithmetic.h and src/plan/real_arithmetic.h, parsed."""

from __future__ import annotations

import operator
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pycparser import c_ast, c_parser

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "src" / "plan" / "index_arithmetic.h"
REAL_HEADER = ROOT / "src" / "plan" / "real_arithmetic.h"
MODES = ROOT / "src" / "schema" / "modes.h"
ENUMERATIONS = ("CoordinateMode", "NearestMode")
INT_TYPES = {"Int128": "__int128", "int64_t": "long"}
REAL_TYPES = ("float", "double")
COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne
}


@cache
def enumerations() -> str:
    """The modes in C, from the only list of them."""
    text = MODES.read_text(encoding="utf-8")
    lines = []
    for name in ENUMERATIONS:
        body = re.search(rf"enum class {name} : uint8_t \{{(.*?)\}};", text, re.DOTALL)
        names = re.findall(r"^\s*(k\w+),", body[1], re.MULTILINE)
        lines.append(f"typedef enum {{ {', '.join(names)} }} {name};")
    return "\n".join(lines) + "\n"


def preprocessed(header: str, int_type: str, real_type: str) -> str:
    """The text of the header after the preprocessor of C. int_type, real_type: what its templates are for."""
    text = f'{enumerations()}#include "c_form.h"\n{header.replace("#pragma once", "")}'
    types = [f"-DTESELA_INT={INT_TYPES[int_type]}", f"-DTESELA_REAL={real_type}"]
    command = ["gcc", "-E", "-P", "-x", "c", *types, f"-I{Path(__file__).parent}", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@dataclass
class Unit:
    """A parsed header."""

    int_type: str
    functions: dict[str, c_ast.FuncDef] = field(default_factory=dict)
    structs: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # members: name, type
    enumerators: dict[str, int] = field(default_factory=dict)
    constants: dict[str, c_ast.Decl] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)  # aliases

    def type_of(self, declaration) -> str:
        names = declaration.type.names if isinstance(declaration, c_ast.TypeDecl) else declaration.type.type.names
        return self.types.get(" ".join(names), " ".join(names))

    def parameters(self, name: str) -> list[tuple[str, str]]:
        return [(each.name, self.type_of(each)) for each in self.functions[name].decl.type.args.params]


def parse(header: str, int_type: str = "Int128", real_type: str = "double") -> Unit:
    unit = Unit(int_type, types={"Int": int_type, "Real": real_type})
    for node in c_parser.CParser().parse(preprocessed(header, int_type, real_type)).ext:
        if isinstance(node, c_ast.FuncDef):
            unit.functions[node.decl.name] = node
        elif isinstance(node, c_ast.Typedef):
            kind = node.type.type
            if isinstance(kind, c_ast.Struct):
                unit.structs[node.name] = [(each.name, unit.type_of(each)) for each in kind.decls]
            elif isinstance(kind, c_ast.Enum):
                for number, each in enumerate(kind.values.enumerators):
                    unit.enumerators[each.name] = number
                unit.types[node.name] = "int"
        elif isinstance(node, c_ast.Decl):
            unit.constants[node.name] = node
    return unit
