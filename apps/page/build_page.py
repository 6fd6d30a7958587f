#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the interactive page: one HTML file with the core, the modules, the presets and the photograph in it.

Arguments: the core (.wasm), the photograph (.jpg), the page to write. Needs the Python package, whose presets it lists."""

from __future__ import annotations

import base64
import json
import re
import sys
import zlib
from pathlib import Path

import numpy as np
import tesela
from tesela import _core, _preset_calls

FOLDER = Path(__file__).parent
MANIFEST = FOLDER.parent.parent / "tests" / "digests" / "manifest.txt"
GROUPS = 100  # of 100 cases each
# In the order of their imports.
MODULES = ("state", "calls", "core", "axis_view", "axis_panel", "picture", "picture_panel", "form", "texts", "main")
IMPORT = re.compile(r'^import \{[^}]*\} from "\./[a-z_]+\.mjs";\n', re.MULTILINE)
ONNX_TYPES = {"uint8": "uint8", "float32": "float", "float64": "double"}
FIELDS = {name.removeprefix("tesela.") for name in _core.field_names()}
SETTLED = set(_preset_calls._ROWS_FIRST)
# Sides of pictures before and after, tall and wide, small and large: what a preset sets beside these must be the same for all.
SIDES = (((60, 80), (30, 40)), ((2000, 9), (7, 90)), ((9, 3000), (500, 8)), ((7, 5), (300, 400)), ((900, 20), (15, 10)))


def preset(name: str) -> dict[str, object] | None:
    """A preset as the page has it; None if it takes no pictures."""
    types = {ONNX_TYPES[dtype]: found for dtype in ("uint8", "float32") if (found := settings(name, dtype))}
    attributes = dict(tesela.presets.attributes(name))
    return {"name": name, "library": name.partition(":")[0], "attributes": attributes, "types": types} if types else None


def settings(name: str, dtype: str) -> dict[str, object] | None:
    """The plan fields for pictures of a type, and the type that is computed. What depends on the sides keeps its name: calls.mjs
    settles it."""
    result = tesela.presets.dtypes(name).get(dtype)
    if result not in ONNX_TYPES:
        return None
    found = []
    for before, after in SIDES:
        given = {"like": name, "sizes": after, "axes": (2, 3)}
        try:
            found.append(_preset_calls.expand((1, 3, *before), np.dtype(dtype), given))
        except tesela.Error:
            return None
    by_sides = {key: value for key, value in tesela.presets.fields(name, np.dtype(dtype)).items() if value in SETTLED}
    fields = [{key: value for key, value in each.items() if key in FIELDS} | by_sides for each in found]
    if any(each != fields[0] for each in fields):
        raise SystemExit(f"build_page: what {name} sets for {dtype} depends on the sides, and calls.mjs does not know how")
    return {"fields": fields[0], "dtype": ONNX_TYPES[result]}


def script(data: dict[str, object]) -> str:
    """The modules as one, without imports and exports, and the call that starts the page."""
    parts = [IMPORT.sub("", (FOLDER / f"{name}.mjs").read_text()) for name in MODULES]
    text = re.sub(r"^export ", "", "\n".join(parts), flags=re.MULTILINE)
    # Every module declares it for itself.
    line = "const byId = (id) => document.getElementById(id);\n"
    text = line + text.replace(line, "")
    if "\nimport " in text:
        raise SystemExit("build_page: an import has a form that is not known here")
    return f"{text}\nopen({json.dumps(data)});\n".replace("</", "<\\/")


def main() -> None:
    core, photograph, page = map(Path, sys.argv[1:])
    data = {
        "wasm": base64.b64encode(zlib.compress(core.read_bytes(), 9)).decode(),
        "photograph": f"data:image/jpeg;base64,{base64.b64encode(photograph.read_bytes()).decode()}",
        "presets": [found for name in tesela.presets.names if (found := preset(name))],
        "digests": MANIFEST.read_text().split()[:GROUPS],
    }
    html = (FOLDER / "page.html").read_text()
    html = html.replace("/*STYLE*/", (FOLDER / "page.css").read_text()).replace("/*SCRIPT*/", script(data))
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(html)
    print(f"{page}: {len(html.encode())} bytes, {len(data['presets'])} presets")


if __name__ == "__main__":
    main()
