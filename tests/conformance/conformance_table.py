# SPDX-License-Identifier: Apache-2.0
"""Asks the runtimes that are installed for every case of `tesela conformance`, and writes the table of docs/conformance.md.

    conformance_table.py            writes it
    conformance_table.py --check    says whether the document has it, exactly
"""

from __future__ import annotations

import functools
import importlib.util
import pathlib
import re
import sys

import pytorch_peer
import tesela
from tesela._compare.runtimes import RUNTIMES

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "site"))
import links

DOCS = links.ROOT / "docs"
DOCUMENT = DOCS / "conformance.md"
BEGIN, END = "<!-- table: made by `make conformance`; make soak makes it again and compares -->\n", "<!-- /table -->\n"
# As requirements-test.txt pins them, and PyTorch as requirements-soak.txt does.
PEERS = ("onnxruntime", "openvino", "onnx-reference", "pytorch")
TIMEOUT = 120.0  # seconds: a busy machine must not decide
MOST_CALL = 110  # characters


def measured(names=PEERS, **options) -> list[tesela.Conformance]:
    return [tesela.conformance(name, timeout=TIMEOUT, python=pytorch_peer.PYTHON if name == "pytorch" else None, **options) for name in names]


def cell(group) -> str:
    if group.passed:
        return str(group.total)
    rest = ", ".join(f"{count} {verdict}" for verdict, count in group.counts.items() if count and verdict != "passed")
    return f"{group.counts['passed']}; {rest}"


def shortened(text: str) -> str:
    return text if len(text) <= MOST_CALL else text[:MOST_CALL] + "..."


def row(*cells: str) -> str:
    return "| " + " | ".join(entry.replace("|", "\\|") for entry in cells) + " |\n"


@functools.cache
def anchors() -> dict[str, str]:
    """Of the catalogue's sections, by the runtime's name."""
    return {name: links.slug(heading) for heading, name in re.findall(r"^## (.+)\n\n`(.+)`$", (DOCS / "catalogue.md").read_text(), re.MULTILINE)}


def linked(rule: str) -> str:
    runtime, _, row = rule.partition("/")
    return f"[{row}](catalogue.md#{anchors()[runtime]})"


def failing(found: tesela.Conformance) -> str:
    text = row("feature", "cases", "the smallest call", "explained by") + row(*["---"] * 4)
    for group in found.groups:
        if group.smallest is None or group.smallest.verdict == "unsupported":
            continue
        rules = ", ".join(linked(rule.rule) for rule, _ in group.rules[:2])
        if group.smallest.explanation.by == "emulation" and not rules:
            rules = "[emulation](emulations.md)"
        text += row(group.feature.name, cell(group), f"`{shortened(group.smallest.case.line)}`", rules)
    return text


def table(results: list[tesela.Conformance]) -> str:
    first = results[0]
    titles = [found.title for found in results]
    text = f"Seed {first.seed}, {first.cases} cases of each of {len(first.groups)} features. A number alone: all of them passed.\n\n"
    text += row("feature", *titles) + row("---", *["---"] * len(titles))
    for groups in zip(*(found.groups for found in results)):
        text += row(groups[0].feature.name, *(cell(group) for group in groups))
    text += row("**all**", *(f"{found.counts['passed']} of {sum(found.counts.values())}" for found in results))
    for found in results:
        text += section(found)
    return text


def section(found: tesela.Conformance) -> str:
    return f"\n### {found.title}\n\n" + failing(found)


def published() -> tuple[list[str], dict[str, list[str]]]:
    """The titles of the document's table, and the cells of each feature."""
    text = DOCUMENT.read_text().partition(BEGIN)[2].partition("\n###")[0]
    rows = [re.split(r" \| ", line.strip("| ")) for line in text.splitlines() if line.startswith("|")]
    return rows[0][1:], {row[0]: row[1:] for row in rows[2:]}


def main(words: list[str]) -> int:
    missing = [runtime.name for runtime in RUNTIMES if runtime.name in PEERS[:-1] and importlib.util.find_spec(runtime.module) is None]
    missing += [] if pathlib.Path(pytorch_peer.PYTHON).exists() else [f"{pytorch_peer.PYTHON}, by setup_python.sh requirements-soak.txt .venv-soak,"]
    if missing:
        print(f"conformance: {', '.join(missing)} not installed", file=sys.stderr)
        return 2
    made = BEGIN + table(measured()) + END
    document = DOCUMENT.read_text()
    head, _, rest = document.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if words == ["--check"]:
        if head + made + tail == document:
            return 0
        old = document.splitlines()
        print("conformance: docs/conformance.md is not what the runtimes gave now:", *(line for line in made.splitlines() if line not in old),
              sep="\n", file=sys.stderr)
        return 1
    DOCUMENT.write_text(head + made + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
