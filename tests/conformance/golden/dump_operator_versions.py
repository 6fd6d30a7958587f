# SPDX-License-Identifier: Apache-2.0
"""Writes src/fix/operator_versions.def: every operator of ONNX's own domain with its versions, and which of them allow every
node of the version before with the same meaning.

A version does if onnx's converter says so (CompatibleAdapter in onnx/version_converter/convert.h, whose text is the only
argument) and its schema allows what the one before does: types, inputs, and attributes with the same defaults.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import onnx
from onnx import defs

FILE = Path(__file__).resolve().parents[3] / "src" / "fix" / "operator_versions.def"
HEADER = f"""// SPDX-License-Identifier: Apache-2.0
// The operators of ONNX's domain with their versions; "=" before one that allows every node of the version before with the same
// meaning. tests/conformance/golden/dump_operator_versions.py wrote it, of onnx {onnx.__version__} and its version converter.
"""


def histories() -> dict[str, list[defs.OpSchema]]:
    found: dict[str, list[defs.OpSchema]] = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            found.setdefault(schema.name, []).append(schema)
    return {name: sorted(schemas, key=lambda schema: schema.since_version) for name, schemas in sorted(found.items())}


def _types(schema: defs.OpSchema, port: defs.OpSchema.FormalParameter) -> set[str]:
    for constraint in schema.type_constraints:
        if constraint.type_param_str == port.type_str:
            return set(constraint.allowed_type_strs)
    return {port.type_str}


def allows_all_of(new: defs.OpSchema, old: defs.OpSchema) -> bool:
    """Whether the schema allows each node that the older one allows, and gives omitted attributes the same values."""
    if new.deprecated or old.deprecated or new.min_input > old.min_input or new.max_input < old.max_input:
        return False
    if new.min_output > old.min_output or new.max_output < old.max_output:
        return False
    for ports, older in ((new.inputs, old.inputs), (new.outputs, old.outputs)):
        for port, was in zip(ports, older):
            if port.option != was.option and not (was.option.name == "Single" and port.option.name == "Optional"):
                return False
            if not _types(new, port) >= _types(old, was):
                return False
    for name, attribute in new.attributes.items():
        was = old.attributes.get(name)
        if was is None and attribute.required:
            return False
        if was is not None and (was.type != attribute.type or was.default_value != attribute.default_value
                                or (attribute.required and not was.required)):
            return False
    return all(name in new.attributes for name in old.attributes)


def compatible_by_converter(text: str) -> set[tuple[str, int]]:
    """(operator, version) of each upgrade that leaves nodes as they are."""
    pairs = re.findall(r'CompatibleAdapter>\(\s*"(\w+)",\s*OpSetID\((\d+)\),\s*OpSetID\((\d+)\)', text)
    return {(name, int(to)) for name, start, to in pairs if int(to) > int(start)}


def main() -> None:
    compatible = compatible_by_converter(Path(sys.argv[1]).read_text())
    lines = []
    for name, schemas in histories().items():
        words = [str(schemas[0].since_version)]
        for old, new in zip(schemas, schemas[1:]):
            same = (name, new.since_version) in compatible and allows_all_of(new, old)
            words.append(f"{'=' if same else ''}{new.since_version}")
        lines.append(f'TESELA_OPERATOR_VERSIONS("{name}", "{" ".join(words)}")\n')
    FILE.write_text(HEADER + "".join(lines))


if __name__ == "__main__":
    main()
