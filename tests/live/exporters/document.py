"""Every exported model by every route: `python tests/live/exporters/document.py --write` makes docs/exporters.md, of the
models in the repository and of those in build/exporters, which `make soak` exports. Fails where one is at fault."""

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

Models that real exporters wrote from random weights, by every way in which a runtime can have Tesela, beside that runtime
alone: onnxruntime {onnxruntime} (its CPU provider) and openvino {openvino} (its CPU plugin). Models of dynamic shapes ran with two shapes.
`tests/live/exporters/document.py --write` makes this page. The first table's models are in the repository, and `make test`
compares them; the second's are exported anew by `make soak`.

{counts}

- `equal`: every bit of every output. A number: the largest difference of any output, in parts of its largest magnitude; at
  most 1e-5. Inside ONNX Runtime a model without convolutions whose nodes of ours only move elements is equal.
- `loads`: the runtime alone refuses the model. `refused, too`: with Tesela it does, too, for what is no node of ours.
- check is `right` where it finds no fault. inspect tells of how many nodes of ours it knows the rank of the output; no shape
  that it gives is another one than the runtime computes, but where a rule stands beside it.
- With `semantics=onnxruntime` the provider is within 1e-5 of ONNX Runtime alone in all of them.
{marks}"""


def key_of(row: Row) -> str:
    about = row.model.about
    return f"| {row.model.name} | {about['family']} | {about['exporter']} | {about['opset'] or 'IR'} | {row.nodes} |"


def line_of(row: Row) -> str:
    return key_of(row) + "".join(f" {row.cells[column]} |" for column in COLUMNS)


def stable(line: str) -> str:
    """A line without the amounts of differences, which are the machine's, too, and without how much inspect knows."""
    return re.sub(r"\d+ of (?=\d)", "", re.sub(r"(?<=\| )(equal|\de-\d\d)(?= \|)", "near", line))


def missing_from_document(rows: Iterable[Row]) -> list[str]:
    written = set(map(stable, DOCUMENT.read_text().splitlines()))
    return [line for row in rows if (line := stable(line_of(row))) not in written]


def table(rows: Sequence[Row]) -> str:
    head = ("model", "of", "exporter", "opset", "our nodes", *COLUMNS)
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *map(line_of, rows)])


def counts_of(rows: Sequence[Row]) -> str:
    exporters = collections.Counter(row.model.about["exporter"].split()[0] + " " + " ".join(
        word for word in row.model.about["exporter"].split()[1:] if not word[0].isdigit()) for row in rows)
    opsets = sorted({row.model.about["opset"] for row in rows} - {0})
    said = ", ".join(f"{count} by {name.strip()}" for name, count in exporters.most_common())
    dynamic = sum(len(row.model.about["inputs"]) > 1 for row in rows)
    return (f"{len(rows)} models with {sum(row.nodes for row in rows)} nodes of ours: {said}; opsets {opsets[0]} to "
            f"{opsets[-1]}; {dynamic} of dynamic shapes.")


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
