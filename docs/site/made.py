# SPDX-License-Identifier: Apache-2.0
"""Writes the tables and figures of the site that follow from the program and from other pages:
`python3 docs/site/made.py`, after `make build`. A test compares them."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
# The figures of pages: `tesela explain CASE --svg`.
FIGURES = {
    "resize-half-pixel": "linear float 4 -> 7",
    "resize-align-corners": "linear align_corners float 4 -> 7",
    "resize-asymmetric": "linear asymmetric float 4 -> 7",
    "resize-nearest": "nearest float 8 -> 3",
    "resize-cubic": "cubic float 5 -> 8",
    "resize-aliased": "linear float 12 -> 4",
    "resize-antialias": "linear antialias float 12 -> 4",
}


def tesela(*words: str) -> str:
    program = DOCS.parent / "build" / "tesela"
    return subprocess.run([program, *words], capture_output=True, text=True, check=True, timeout=60).stdout


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


# --- Operators -----------------------------------------------------------------------------------


@functools.cache
def operators() -> list[dict]:
    return json.loads(tesela("ops", "--json"))["operators"]


def versions(operator: str, domain: str = "") -> list[dict]:
    found = [row for row in operators() if (row["operator"], row["domain"]) == (operator, domain)]
    return [row for row in found if "deprecated_for" not in row]


def code(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "-"


def version_table(operator: str, domain: str = "") -> str:
    """For each version its inputs, and the types and attributes that it has beside those of the version before."""
    rows = []
    before: dict = {"types": [], "attributes": []}
    for row in versions(operator, domain):
        types = row["outputs"][0]["types"]
        attributes = [each["name"] for each in row["attributes"]]
        inputs = [each["name"] + (" (optional)" if each["optional"] else "") for each in row["inputs"]]
        gone = [name for name in before["attributes"] if name not in attributes]
        new = code([each for each in attributes if each not in before["attributes"]])
        without = f"without {code(gone)}" if gone else ""
        rows.append([str(row["since_version"]), ", ".join(inputs), ", ".join(each for each in types if each not in before["types"]) or "the same",
                     without if without and new == "-" else "; ".join(filter(None, [new, without]))])
        before = {"types": types, "attributes": attributes}
    return table(["since opset", "inputs", "element types (new ones)", "attributes (new ones)"], rows)


def span(since: list[int], newest: int) -> str:
    if since[-1] == newest:
        return str(since[0])
    return f"{since[0]} only" if len(since) == 1 else f"{since[0]}, until {since[-1]}"


def attribute_table(operator: str, domain: str = "") -> str:
    """Every attribute with the versions that have it, and what the newest of them allows."""
    found: dict[str, tuple[list[int], dict]] = {}
    for row in versions(operator, domain):
        for each in row["attributes"]:
            since = found.get(each["name"], ([], {}))[0]
            found[each["name"]] = ([*since, row["since_version"]], each)
    newest = versions(operator, domain)[-1]["since_version"]
    rows = [[f"`{name}`", each["type"].lower(), "required" if each["required"] else f"`{each['default']}`" if "default" in each else "-",
             code(each.get("allowed", [])), span(since, newest)]
            for name, (since, each) in found.items()]
    return table(["attribute", "type", "default", "values", "since version"], rows)


# --- Libraries -----------------------------------------------------------------------------------


def rows_of(page: str, name: str) -> list[list[str]]:
    """The measured rows of a generated table of another page."""
    block = re.search(rf"<!-- {name}: generated -->\n(.*?)<!-- {name}: end -->", (DOCS / page).read_text(), re.DOTALL)
    assert block is not None, (page, name)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block[1].strip().splitlines()[2:]]


def preset_tables() -> str:
    """What presets give, in a table for each function."""
    found: dict[str, dict[str, tuple[list[str], list[str]]]] = {}
    functions: dict[str, str] = {}
    for preset, dtype, function, _, measured, _, difference, _ in rows_of("python.md", "presets"):
        functions[preset] = f"{function} ({measured.partition('+')[0]})"
        equal, near = found.setdefault(functions[preset], {}).setdefault(preset, ([], []))
        (equal if difference == "equal" else near).append(dtype if difference == "equal" else f"{dtype} {difference}")
    for preset, same, other in rows_of("python.md", "inputs"):
        for kept, more in zip(found[functions[preset]][preset], (same, other)):
            kept.extend([] if more == "-" else [more])
    parts = [f"### {function}\n\n" + table(
        ["preset", "equal in every value", "largest difference elsewhere"],
        [[preset, ", ".join(equal) or "-", ", ".join(near) or "-"] for preset, (equal, near) in presets.items()])
        for function, presets in found.items()]
    return "\n\n".join(parts).replace("resize_*", "resize_\\*")


def apart_table() -> str:
    rows = [[function, closest, difference, because] for function, closest, difference, _, because in rows_of("python.md", "apart")]
    return table(["function", "closest attributes", "largest difference", "because it"], rows)


def rules_table() -> str:
    """The emulations, from their page."""
    text = (DOCS / "emulations.md").read_text()
    libraries = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    rows = []
    for line in re.findall(r"^\| \w+ \|(?: \d+ \|){7}$", text, re.MULTILINE):
        name, count, equal, _, refused, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        same = int(equal) + int(refused)
        rows.append([libraries[name], f"`{name}`", f"{int(count):,}", f"{same:,}", f"{100 * same / int(count):.2f} %"])
    return table(["library", "`rules`", "random cases", "equal in every bit, or refused by both", "share"], rows)


MADE = {
    "operators": lambda: tesela("ops", "--markdown").strip(),
    "presets": preset_tables,
    "apart": apart_table,
    "rules": rules_table,
    **{f"versions of {name}": lambda name=name: version_table(name) for name in ("Resize", "Upsample", "Tile", "ConstantOfShape")},
    **{f"attributes of {name}": lambda name=name: attribute_table(name) for name in ("Resize", "Upsample", "ConstantOfShape")},
    **{f"versions of openvino {name}": lambda name=name: version_table(name, "openvino") for name in ("Tile", "Interpolate")},
    "attributes of openvino Interpolate": lambda: attribute_table("Interpolate", "openvino"),
}
BLOCK = re.compile(r"<!-- made: (.*?) -->\n.*?<!-- end -->", re.DOTALL)


def filled(text: str) -> str:
    return BLOCK.sub(lambda block: f"<!-- made: {block[1]} -->\n\n{MADE[block[1]]()}\n\n<!-- end -->", text)


def files() -> dict[Path, str]:
    """The text of every page with such a table, and of every figure."""
    pages = {path: path.read_text() for path in sorted(DOCS.rglob("*.md"))}
    made = {path: filled(text) for path, text in pages.items() if BLOCK.search(text)}
    return made | {DOCS / "images" / f"{name}.svg": tesela("explain", case, "--svg") for name, case in FIGURES.items()}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text)
