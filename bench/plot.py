# SPDX-License-Identifier: Apache-2.0
"""Draws the sweep as an SVG: cost per output element on logarithmic axes, with a panel for each type and kind of sweep."""

from __future__ import annotations

import math

WIDTH, HEIGHT, LEFT, TOP, GAP = 420, 260, 60, 40, 50
COLOURS = {"nearest": "#1b7837", "linear": "#2166ac", "cubic": "#762a83", "linear antialias": "#67a9cf",
           "cubic antialias": "#c2a5cf"}


class Panel:
    """One chart. series: name -> points [x, cost, ...]."""

    def __init__(self, title: str, x_title: str, series: dict, x: float, y: float):
        self.title, self.x_title, self.series, self.x, self.y = title, x_title, series, x, y
        points = [point for line in series.values() for point in line]
        self.x_range = min(p[0] for p in points), max(p[0] for p in points)
        costs = [p[1] for p in points]
        self.y_range = 10 ** math.floor(math.log10(min(costs))), 10 ** math.ceil(math.log10(max(costs)))

    def across(self, value: float) -> float:
        low, high = map(math.log, self.x_range)
        return self.x + (math.log(value) - low) / (high - low) * WIDTH

    def down(self, value: float) -> float:
        low, high = map(math.log, self.y_range)
        return self.y + HEIGHT - (math.log(value) - low) / (high - low) * HEIGHT

    def grid(self):
        yield (f'<rect x="{self.x}" y="{self.y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>'
               f'<text x="{self.x + WIDTH / 2}" y="{self.y - 10}" class="title">{self.title}</text>'
               f'<text x="{self.x + WIDTH / 2}" y="{self.y + HEIGHT + 32}" class="middle">{self.x_title}</text>')
        for power in range(round(math.log10(self.y_range[0])), round(math.log10(self.y_range[1])) + 1):
            y = self.down(10.0**power)
            yield (f'<line x1="{self.x}" x2="{self.x + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                   f'<text x="{self.x - 6}" y="{y + 4:.1f}" class="end">{10.0**power:g}</text>')
        for power in range(math.ceil(math.log2(self.x_range[0])), math.floor(math.log2(self.x_range[1])) + 1):
            x = self.across(2.0**power)
            label = f"{2**power}" if power >= 0 else f"1/{2**-power}"
            yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.y}" y2="{self.y + HEIGHT}" stroke="#eee"/>'
                   f'<text x="{x:.1f}" y="{self.y + HEIGHT + 14}" class="middle">{label}</text>')

    def lines(self):
        for name, points in self.series.items():
            path = " ".join(f"{self.across(p[0]):.1f},{self.down(p[1]):.1f}" for p in points)
            yield f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.5"/>'


def of_type(series: dict, dtype: str) -> dict:
    return {name.removesuffix(f" {dtype}"): points for name, points in series.items() if name.endswith(f" {dtype}")}


def document(sizes: dict, scales: dict) -> str:
    panels = []
    kinds = [(sizes, "side of the output, factor 2", "sizes"), (scales, "scale of a 3x480x640 image", "scales")]
    for row, (series, x_title, kind) in enumerate(kinds):
        for column, dtype in enumerate(("float", "uint8")):
            x, y = LEFT + column * (WIDTH + LEFT + GAP), TOP + row * (HEIGHT + TOP + GAP)
            panels.append(Panel(f"{kind}, {dtype}", x_title, of_type(series, dtype), x, y))
    width, height = 2 * (WIDTH + LEFT + GAP), 2 * (HEIGHT + TOP + GAP) + 30
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="11"><style>.title{text-anchor:middle;font-weight:bold}.middle{text-anchor:middle}'
             '.end{text-anchor:end}</style><rect width="100%" height="100%" fill="white"/>',
             '<text x="10" y="16">nanoseconds per output element, one thread</text>']
    for panel in panels:
        lines += [*panel.grid(), *panel.lines()]
    for index, (name, colour) in enumerate(COLOURS.items()):
        x = LEFT + index * 170
        lines.append(f'<line x1="{x}" x2="{x + 24}" y1="{height - 16}" y2="{height - 16}" stroke="{colour}" '
                     f'stroke-width="2"/><text x="{x + 30}" y="{height - 12}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])
