# SPDX-License-Identifier: Apache-2.0
"""The part of docs/benchmarks.md about random workloads, from build/bench/random.json; run alone it prints it."""

from __future__ import annotations

import math

from tables import load, milliseconds, reason, table

BEHIND, FAR_BEHIND = 1.1, 1.5
WORST = 10


def parts() -> list[str]:
    found = load("random")
    return ["## Random workloads", "", f"Measured {found['date']}.", "",
            *(line for rows in by_threads(found["rows"]) for line in part(rows))]


def by_threads(rows: list[dict]) -> list[list[dict]]:
    return [[row for row in rows if row["threads"] == count] for count in sorted({row["threads"] for row in rows})]


def behind(rows: list[dict], factor: float) -> list[dict]:
    """Rows where the best same-operation peer is faster by more than a factor, the worst first."""
    return sorted((row for row in rows if row["ratio"] * factor < 1), key=lambda row: row["ratio"])


def part(rows: list[dict]) -> list[str]:
    threads = f"{rows[0]['threads']} thread" + "s" * (rows[0]["threads"] > 1)
    compared = [row for row in rows if row["ratio"]]
    mean = math.exp(sum(math.log(row["ratio"]) for row in compared) / len(compared))
    late, far = behind(compared, BEHIND), behind(compared, FAR_BEHIND)
    lines = [f"{threads}: of {len(rows)} workloads {len(compared)} have a peer with the same operation. The geometric mean over",
             f"the best peer of each is {mean:.2f}. The best peer is faster by more than {BEHIND} in {len(late)}, by more than",
             f"{FAR_BEHIND} in {len(far)}.", ""]
    lines += table(["family", "compared", "mean over the best peer", f"behind by {BEHIND}", f"by {FAR_BEHIND}"], families(compared))
    if late:
        worst = [[f"`{row['case'].partition(': ')[2]}`", milliseconds(row["times"]["tesela"]["best"]), row["rival"],
                  f"{1 / row['ratio']:.2f}", reason(f"random {row['case'].partition(': ')[2]}")] for row in late[:WORST]]
        lines += [f"The worst {len(worst)}:", "", *table(["workload", "ms", "peer", "its lead", "reason"], worst)]
    return lines


def families(rows: list[dict]) -> list[list[str]]:
    found = {}
    for row in rows:
        found.setdefault(row["name"].partition(".")[0], []).append(row)
    return [[name, str(len(each)), f"{math.exp(sum(math.log(row['ratio']) for row in each) / len(each)):.2f}",
             str(len(behind(each, BEHIND))), str(len(behind(each, FAR_BEHIND)))] for name, each in sorted(found.items())]


if __name__ == "__main__":
    print("\n".join(parts()))
