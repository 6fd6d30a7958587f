# SPDX-License-Identifier: Apache-2.0
"""A report as one page without scripts and other files."""

from __future__ import annotations

import base64
import html
import struct
import zlib

import numpy as np

from .. import _core
from .._explain import Explanation as Drawing
from . import cases
from .differences import Difference
from .report import Comparison, NodeReport, Outcome, details

_MOST_CELLS = 128  # of a picture along an axis
_AROUND = 4  # outputs of a drawing on each side of the largest difference
_WIDTH = 320  # pixels of a picture on the page

STYLE = """
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { border: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { border: 1px solid var(--line); padding: .6rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
.equal, .rounding { color: var(--good); } .different, .refused, .crash, .timeout { color: var(--bad); }
img { max-width: 100%; }
figure img { image-rendering: pixelated; border: 1px solid var(--line); }
"""


def page(comparison: Comparison) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in comparison.versions.items())
    head = "".join(f"<th>{_text(name)}</th>" for name in comparison.versions)
    rows = "".join(_row(number, report) for number, report in enumerate(comparison.nodes))
    sections = "".join(_section(number, report, outcome) for number, report in enumerate(comparison.nodes) for outcome in report.outcomes
                       if outcome.verdict not in ("equal", "rounding"))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>tesela compare {_text(comparison.source)}</title><style>{STYLE}</style></head><body>
<h1>{_text(comparison.source)}</h1>
<p>Tesela {_text(_core.version())} with {_text(versions)}; inputs: {_text(comparison.values)}.
Outputs that differ only by rounding count as equal.</p>
<div class="wide"><table><tr><th>node</th><th>call</th>{head}</tr>{rows}</table></div>
{sections}</body></html>
"""


def _row(number: int, report: NodeReport) -> str:
    cells = "".join(f'<td class="{outcome.verdict}">{_link(number, outcome)}</td>' for outcome in report.outcomes)
    return f"<tr><td>{_text(report.node.name or report.node.operator)}</td><td><code>{_text(report.line)}</code></td>{cells}</tr>"


def _link(number: int, outcome: Outcome) -> str:
    brief = _text(outcome.brief())
    return brief if outcome.verdict in ("equal", "rounding") else f'<a href="#{_anchor(number, outcome)}">{brief}</a>'


def _section(number: int, report: NodeReport, outcome: Outcome) -> str:
    name = report.node.name or report.node.operator
    found = outcome.difference
    parts = [f'<section id="{_anchor(number, outcome)}"><h2>{_text(name)}, {_text(outcome.runtime.title)}: '
             f'<span class="{outcome.verdict}">{_text(outcome.brief())}</span></h2><p><code>{_text(report.line)}</code></p>',
             f"<pre>{linked(details(report, outcome))}</pre>"]
    if found is not None and found.map is not None:
        parts += [_picture(report, found), _drawings(report, found)]
    line = cases.line_with_values(report.node, report.shape) or report.line
    parts.append(f"<p>To see it again:</p><pre>tesela compare {_text(repr(line))} --with {outcome.runtime.name}</pre></section>")
    return "".join(parts)


def _picture(report: NodeReport, found: Difference) -> str:
    """The plane with the largest difference, along the axes that change: dark where values are equal."""
    assert found.map is not None
    axes = _plane_axes(report, found.map.shape)
    at = tuple(slice(None) if axis in axes else index for axis, index in enumerate(found.worst))
    plane = found.map[at] if len(axes) == 2 else found.map[at].reshape(1, -1)
    largest = float(np.max(plane[np.isfinite(plane)], initial=0)) or 1.0
    shares = np.clip(np.nan_to_num(_cells(plane) / largest, posinf=1.0), 0, 1)
    levels = np.where(shares > 0, 64 + np.round(191 * shares), 0).astype(np.uint8)
    height = max(12, round(_WIDTH * levels.shape[0] / levels.shape[1]))
    words = " and ".join(str(axis) for axis in axes)
    place = ", ".join(":" if axis in axes else str(index) for axis, index in enumerate(found.worst))
    return (f'<figure><img alt="Differences" style="width: {_WIDTH}px; height: {min(height, 2 * _WIDTH)}px" '
            f'src="data:image/png;base64,{base64.b64encode(png(levels)).decode()}">'
            f"<figcaption>Differences along ax{'e' if len(axes) > 1 else 'i'}s {words}, at [{place}]: black is equal, white the largest."
            f"</figcaption></figure>")


def _plane_axes(report: NodeReport, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Two axes: those that change, the later ones if there are more; then the last ones."""
    before = report.node.x.shape if len(report.node.x.shape) == len(shape) else shape
    order = sorted(range(len(shape)), key=lambda axis: (before[axis] == shape[axis], shape[axis] == 1, -axis))
    return tuple(sorted(order[:2]))


def _cells(plane: np.ndarray) -> np.ndarray:
    """The largest of each block, so that no axis has more than some cells."""
    for axis in (0, 1):
        step = -(-plane.shape[axis] // _MOST_CELLS)
        plane = np.maximum.reduceat(plane, np.arange(0, plane.shape[axis], step), axis=axis)
    return plane


def _drawings(report: NodeReport, found: Difference) -> str:
    """Where the outputs around the largest difference land, on each axis that changes."""
    if report.node.operator == "ConstantOfShape" or not report.shape:
        return ""
    drawings = []
    plan = report.node.plan()
    for axis, (extent, out) in enumerate(zip(report.node.x.shape, report.shape)):
        if extent == out or report.node.operator == "Tile":
            continue
        first = max(0, found.worst[axis] - _AROUND)
        last = min(out, found.worst[axis] + _AROUND + 1)
        try:
            drawing = Drawing(plan, "", axis, (first, last)).svg()
        except _core.Error:  # too much for a drawing
            continue
        # As an image its style stays its own.
        drawings.append(f'<p><img alt="Axis {axis}" src="data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"></p>')
    return f"<p>By the standard, around the largest difference:</p>{''.join(drawings)}" if drawings else ""


def png(levels: np.ndarray) -> bytes:
    """A grey image of bytes as a PNG file."""
    height, width = levels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(levels, np.uint8))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def linked(lines: list[str]) -> str:
    texts = []
    for line in lines:
        name, separator, url = line.partition("source: ")
        texts.append(f'{_text(name)}source: <a href="{_text(url)}">{_text(url)}</a>' if separator and url.startswith("https://") else _text(line))
    return "\n".join(texts)


def _anchor(number: int, outcome: Outcome) -> str:
    return f"node{number}-{outcome.runtime.name}"


def _text(text: str) -> str:
    return html.escape(text)
