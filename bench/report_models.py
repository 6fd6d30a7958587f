# SPDX-License-Identifier: Apache-2.0
"""The part of docs/benchmarks.md about models in ONNX Runtime, from build/bench/models.json and build/bench/exported.json."""

from __future__ import annotations

from statistics import geometric_mean

from tables import SLOWER, load, ratio_to_onnxruntime as ratio, reason, table

SETS = {"models": "of PyPI packages", "exported": "that exporters write"}
WAYS = {"every": "every node", "fastest": "`placement=fastest`"}
SHOWN = 10


def summary(found: dict[str, list[dict]]) -> list[str]:
    lines = []
    for name, rows in found.items():
        for way, title in WAYS.items():
            models = [ratio(row, "model", way) for row in rows]
            lines.append([f"{len(rows)} {SETS[name]}", title, f"{geometric_mean(ratio(row, 'nodes', way) for row in rows):.2f}",
                          f"{geometric_mean(models):.2f}", f"{max(models):.2f}", str(sum(each > SLOWER for each in models))])
    return table(["models", "nodes in Tesela", "nodes with reorders", "whole model", "largest", "slower by more than 3 %"], lines)


def slowest(found: dict[str, list[dict]]) -> list[str]:
    rows = sorted((row for rows in found.values() for row in rows), key=lambda row: -ratio(row, "model", "fastest"))
    lines = [[row["name"], f"{row['ours']['fastest']} of {row['ours']['every']}",
              *(f"{row['nodes'][way]:.3f}" for way in ("without", "fastest")), *(f"{row['model'][way]:.3f}" for way in ("without", "fastest")),
              f"{ratio(row, 'model', 'fastest'):.3f}",
              reason(f"model {row['name']}") if ratio(row, "model", "fastest") > SLOWER else ""] for row in rows[:SHOWN]]
    return table(["model", "nodes in Tesela", "nodes without, ms", "with", "model without, ms", "with", "ratio", "why slower"], lines)


def parts() -> list[str]:
    found = {name: load(name) for name in SETS}
    return ["## Models inside ONNX Runtime", "",
            "Times with the execution provider over those of ONNX Runtime alone, on all cores, of sessions that alternate; below 1, Tesela is",
            "faster. Nodes are those of Resize, Upsample, Tile and ConstantOfShape, with the reorders of the whole model's layout.", "",
            *summary(found), f"The {SHOWN} models that `placement=fastest` slows most:", "", *slowest(found)]
