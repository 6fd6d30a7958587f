# SPDX-License-Identifier: Apache-2.0
"""Draws the workloads of docs/benchmarks.md: for each library and operator, how much longer than Tesela it takes, a dot for each
workload. `python bench/plot_peers.py` draws the document that is there; `make bench` does so, too."""

from __future__ import annotations

import math
import re
import statistics
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "benchmarks.md"
DRAWING = ROOT / "docs" / "benchmarks-peers.svg"

WIDTH, LEFT, RIGHT, TOP, ROW = 900, 130, 30, 60, 18
OPERATORS = {"R": ("Resize", "#2166ac"), "T": ("Tile", "#1b7837"), "C": ("ConstantOfShape", "#b35806")}
LOW, HIGH = -3, 11  # powers of two that the axis shows; what lies beyond is drawn at the end


def ratios(text: str) -> dict[str, dict[str, list[float]]]:
    """Of workloads with one thread: by library, then by the first letter of the workload."""
    table = text.partition("## Workloads, 1 thread\n")[2].partition("\n## ")[0].strip().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    head = cells[0]
    found: dict[str, dict[str, list[float]]] = {name: {} for name in head[head.index("best peer") + 1:]}
    for row in cells[2:]:
        for name, cell in zip(found, row[head.index("best peer") + 1:]):
            if re.fullmatch(r"[0-9.]+", cell) and row[0][0] in OPERATORS:
                found[name].setdefault(row[0][0], []).append(float(cell))
    return {name: groups for name, groups in found.items() if groups}


def across(ratio: float) -> float:
    power = min(max(math.log2(ratio), LOW), HIGH)
    return LEFT + (power - LOW) / (HIGH - LOW) * (WIDTH - LEFT - RIGHT)


def axis(bottom: float):
    for power in range(LOW, HIGH + 1):
        x, label = across(2.0**power), f"{2**power}" if power >= 0 else f"1/{2**-power}"
        colour = "#555" if power == 0 else "#e5e5e5"
        yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="{colour}"/>'
               f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>')


def drawing(text: str) -> str:
    rows = [(name, letter, values) for name, groups in ratios(text).items() for letter, values in groups.items()]
    bottom = TOP + ROW * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" font-family="sans-serif" font-size="12">'
             '<rect width="100%" height="100%" fill="white"/>',
             '<text x="10" y="20">Time of the library divided by Tesela\'s, one thread: a dot for each workload, a bar at the geometric mean. '
             'Right of 1, Tesela is faster.</text>', *axis(bottom)]
    for index, (title, colour) in enumerate(OPERATORS.values()):
        x = LEFT + index * 130
        lines.append(f'<circle cx="{x + 5}" cy="36" r="4" fill="{colour}"/><text x="{x + 14}" y="40">{title}</text>')
    before = ""
    for index, (name, letter, values) in enumerate(rows):
        y, colour = TOP + ROW * (index + 0.5), OPERATORS[letter][1]
        if name != before:
            lines.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{name}</text>')
            lines.append(f'<line x1="10" x2="{WIDTH - RIGHT}" y1="{y - ROW / 2:.1f}" y2="{y - ROW / 2:.1f}" stroke="#ccc"/>')
            before = name
        lines += [f'<circle cx="{across(value):.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.45"/>' for value in values]
        x = across(statistics.geometric_mean(values))
        lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 8:.1f}" y2="{y + 8:.1f}" stroke="{colour}" stroke-width="2.5"/>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    DRAWING.write_text(drawing(DOCUMENT.read_text()))
