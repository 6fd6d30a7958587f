# SPDX-License-Identifier: Apache-2.0
"""Writes onnx_schemas.json: what the installed onnx package says of the four operators.

Run it after raising onnx's version, and read the difference before committing it.
"""

from __future__ import annotations

import json
import pathlib

import onnx
from onnx import defs, helper

OPERATORS = ("ConstantOfShape", "Resize", "Tile", "Upsample")
GOLDEN = pathlib.Path(__file__).with_name("onnx_schemas.json")


def port(formal: defs.OpSchema.FormalParameter) -> dict:
    types = sorted(text.removeprefix("tensor(").removesuffix(")") for text in formal.types)
    is_optional = formal.option == defs.OpSchema.FormalParameterOption.Optional
    return {
        "name": formal.name,
        "type": formal.type_str,
        "optional": is_optional,
        "types": types,
    }


def attribute(entry: defs.OpSchema.Attribute) -> dict:
    record = {"name": entry.name, "type": entry.type.name, "required": entry.required}
    if entry.default_value.type:
        value = helper.get_attribute_value(entry.default_value)
        record["default"] = value.decode() if isinstance(value, bytes) else value
    return record


def row(schema: defs.OpSchema) -> dict:
    return {
        "operator": schema.name,
        "since_version": schema.since_version,
        "deprecated": schema.deprecated,
        "inputs": [port(formal) for formal in schema.inputs],
        "outputs": [port(formal) for formal in schema.outputs],
        "attributes": [attribute(schema.attributes[name]) for name in sorted(schema.attributes)],
    }


def dump() -> dict:
    """The document, as the installed package gives it."""
    schemas = [
        schema
        for schema in defs.get_all_schemas_with_history()
        if schema.domain == "" and schema.name in OPERATORS
    ]
    schemas.sort(key=lambda schema: (schema.name, schema.since_version))
    return {
        "onnx": onnx.__version__,
        "newest_opset": defs.onnx_opset_version(),
        "operators": [row(schema) for schema in schemas],
    }


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(dump(), indent=1) + "\n")
