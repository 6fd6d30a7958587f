# SPDX-License-Identifier: Apache-2.0
"""The part of docs/benchmarks.md about presets, from build/bench/presets.json."""

from __future__ import annotations

from tables import factor, load, reason, table


def parts() -> list[str]:
    lines = ["## Presets beside their libraries", "",
             "Images of bytes with three channels, through Python, one thread: the library's time divided by Tesela's, both with a call",
             "as their users write it. Each library is measured on the layout in which it is fastest, which is named; PyTorch's",
             "presets get planes. Every byte is compared before the timing.", ""]
    rows = [[row["preset"], row["shape"], f"{row['ours'] / 1e3:.3g}", f"**{factor(row['ratio'])}**", row["layout"],
             "yes" if row["different"] == 0 else f"{row['different']} differ",
             "" if row["ratio"] >= 1 else reason(f"preset {row['preset']} {row['shape']}")] for row in load("presets")]
    return lines + table(["preset", "image", "us", "library / Tesela", "layout", "equal", "why slower"], rows)
