# SPDX-License-Identifier: Apache-2.0
"""Compares every exported model by every route. `python tests/live/exporters/document.py --write` writes docs/exporters.md for
the models in the repository and those in build/exporters, which `make soak` exports. Fails if a model has a fault."""

from __future__ import annotations

import argparse
import collections
import re
import sys
from collections.abc import Iterable, Sequence

from compare import ROUTES, Row, compare
from differences import DIFFERENCES, LIMITS
from exported import BUILT, RECORDED, ROOT, models_in

DOCUMENT = ROOT / "docs" / "exporters.md"
COLUMNS = ("check", "inspect", *ROUTES["onnxruntime"], *ROUTES["openvino"])

LEAD = """# Models of exporters

This page compares onnxruntime {onnxruntime} (its CPU provider) and openvino {openvino} (its CPU plugin) with and without Tesela, on
models that real exporters wrote with random weights. Each way to use Tesela in a runtime is a column. Models with
dynamic shapes ran with two shapes. `tests/live/exporters/document.py --write` generates this page. The models of the first
table are in the repository, and `make test` compares them; `make soak` exports the models of the second table.

{counts}

Cells of the runtimes:

- `equal`: every output is equal in every bit. A number is the largest difference of any output, relative to its largest
  magnitude, and is at most 1e-5. In ONNX Runtime, a model without convolutions whose Tesela nodes only copy elements is equal.
- `loads`: the model loads only with Tesela. `fails too`: it does not load with Tesela either, because of another
  operator.
- With `semantics=onnxruntime`, the results of the provider are within 1e-5 of ONNX Runtime alone for all models.

Cells of the command line:

- `check` is `ok` if it finds no fault.
- `inspect` shows for how many of Tesela's nodes it infers the rank of the output. All inferred shapes are those that the
  runtime computes, except where a known difference applies.

Known differences and limitations:

{marks}"""


def key_of(row: Row) -> str:
    about = row.model.about
    return f"| {row.model.name} | {about['family']} | {about['exporter']} | {about['opset'] or 'IR'} | {row.nodes} |"


def line_of(row: Row) -> str:
    return key_of(row) + "".join(f" {row.cells[column]} |" for column in COLUMNS)


def stable(line: str) -> str:
    """A line without the size of differences, which depends on the machine, and without the count of inspect."""
    return re.sub(r"\d+ of (?=\d)", "", re.sub(r"(?<=\| )(equal|\de-\d\d)(?= \|)", "near", line))


def missing_from_document(rows: Iterable[Row]) -> list[str]:
    written = set(map(stable, DOCUMENT.read_text().splitlines()))
    return [line for row in rows if (line := stable(line_of(row))) not in written]


def table(rows: Sequence[Row]) -> str:
    head = ("model", "source", "exporter", "opset", "Tesela nodes", *COLUMNS)
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *map(line_of, rows)])


def counts_of(rows: Sequence[Row]) -> str:
    exporters = collections.Counter(row.model.about["exporter"].split()[0] + " " + " ".join(
        word for word in row.model.about["exporter"].split()[1:] if not word[0].isdigit()) for row in rows)
    opsets = sorted({row.model.about["opset"] for row in rows} - {0})
    said = ", ".join(f"{count} by {name.strip()}" for name, count in exporters.most_common())
    dynamic = sum(len(row.model.about["inputs"]) > 1 for row in rows)
    return (f"{len(rows)} models with {sum(row.nodes for row in rows)} Tesela nodes: {said}; opsets {opsets[0]} to "
            f"{opsets[-1]}; {dynamic} with dynamic shapes.")


def document(recorded: Sequence[Row], built: Sequence[Row]) -> str:
    import onnxruntime
    import openvino

    marks = "".join(f"- `{mark}`: {rule} ([differences.md](differences.md)).\n"
                    for mark, rule in sorted({(each.mark, each.rule) for each in DIFFERENCES}))
    marks += "".join(f"- `{each.mark}`: does not load ([{each.document}]({each.document})).\n" for each in LIMITS)
    lead = LEAD.format(onnxruntime=onnxruntime.__version__, openvino=openvino.__version__.partition("-")[0], marks=marks,
                       counts=counts_of([*recorded, *built]))
    return f"{lead}\n## In the repository\n\n{table(recorded)}\n\n## Exported by make soak\n\n{table(built)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="docs/exporters.md")
    parser.add_argument("--only", default="", help="models with this in their name, printed")
    arguments = parser.parse_args()
    recorded, built = ([model for model in models_in(folder) if arguments.only in model.name] for folder in (RECORDED, BUILT))
    if arguments.write and not built:
        sys.exit("no models in build/exporters: make exported writes them")
    rows = [compare(models) for models in (recorded, built)]
    if arguments.write:
        DOCUMENT.write_text(document(*rows))
    else:
        print(*map(line_of, [*rows[0], *rows[1]]), sep="\n")
    faults = [f"{row.model.name}: {fault}" for each in rows for row in each for fault in row.faults]
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
