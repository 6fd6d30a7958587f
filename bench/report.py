# SPDX-License-Identifier: Apache-2.0
"""Writes docs/benchmarks.md from the measurements in build/bench/*.json."""

from __future__ import annotations

import fnmatch
import math

import plot_peers
import report_machine
import report_models
import report_presets
import report_random
from tables import ROOT, factor, load, milliseconds, reason, table

DOCUMENT = ROOT / "docs" / "benchmarks.md"

PEERS = ("onnxruntime", "openvino", "torch", "opencv", "zimg", "numpy", "pillow")
# The workloads in the mean of Resize.
MEAN = ("R1.*", "R2.*", "R3.*", "R4*", "R5*", "R6*", "R7*", "R8*", "R9*", "R10*", "R11*", "R12*", "R14*")
# Workloads bound by memory, where a peer may be equally fast within the error of measurement.
AT_MEMORY = ("R2.*", "R9.*", "R5b.*", "T*", "C*")
NEAR_LIMIT = ("R1.*", "R4a.*", "R5*", "R7*", "R10c.*", "T*", "C*")
SMALL = ("C1.*", "C1e4.*", "tiny.*")  # measure overhead, not throughput


def matches(name: str, patterns) -> bool:
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def mean(ratios) -> str:
    ratios = list(ratios)
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} ({len(ratios)})" if ratios else "-"


# ---- Tables --------------------------------------------------------------------------------------------------------


def same_ratio(row: dict, peer: str) -> str:
    times = row["times"].get(peer)
    return factor(times["ratio"]) if times and times["same"] else "-"


def others(row: dict) -> dict[str, float]:
    """Peers with nearly the same result, on another layout or in fixed point."""
    return {name: times["ratio"] for name, times in row["times"].items() if times["near"] and not times["same"]}


def same_table(rows: list[dict]) -> list[str]:
    head = ["workload", "ms min (median)", "of the limit", "bound", "best peer", *PEERS]
    lines = []
    for row in rows:
        ours = row["times"]["tesela"]
        share = "-" if matches(row["name"], SMALL) else f"{row['share']:.0%}"
        best = f"**{factor(row['ratio'])}** ({factor(row['median_ratio'])})" if row["ratio"] else "-"
        times = f"{milliseconds(ours['best'])} ({milliseconds(ours['median'])})"
        lines.append([row["name"], times, share, row["bound"], best, *(same_ratio(row, peer) for peer in PEERS)])
    return table(head, lines)


def other_table(rows: list[dict]) -> list[str]:
    names = sorted({name for row in rows for name in others(row)})
    lines = [[row["name"], *(factor(others(row).get(name)) for name in names)] for row in rows if others(row)]
    return table(["workload", *names], lines)


def peer_means(rows: list[dict], share) -> list[str]:
    """Of the ratios to the best peer and to each peer, if each workload took only that share of Tesela's time."""
    best = mean(row["ratio"] / share(row) for row in rows if row["ratio"])
    return [best, *(mean(row["times"][peer]["ratio"] / share(row) for row in rows
                         if peer in row["times"] and row["times"][peer]["same"]) for peer in PEERS)]


def means(rows: list[dict], threads: list[int]) -> list[str]:
    lines = []
    groups = {"Resize (R1 to R12, R14)": MEAN, "Tile": ("T*",),
              "ConstantOfShape, from 1e6 elements": ("C1e6*", "C64M*")}
    for title, patterns in groups.items():
        for count in threads:
            chosen = [row for row in rows if row["threads"] == count and matches(row["name"], patterns)]
            lines.append([title, str(count), *peer_means(chosen, lambda row: 1.0)])
            if patterns is MEAN:
                lines.append([f"{title}, at the limit", str(count), *peer_means(chosen, lambda row: row["share"])])
    return table(["geometric mean (number of workloads)", "threads", "best peer", *PEERS], lines)


def misses(rows: list[dict]) -> list[str]:
    """Workloads slower than a peer, or too far from the limit, each with its reason."""
    lines = []
    for row in rows:
        name, found = row["name"], []
        if matches(name, SMALL):
            continue
        least = 0.95 if matches(name, AT_MEMORY) else 1.0
        if row["ratio"] and row["ratio"] < least:
            found.append((f"{row['rival']} takes {row['ratio']:.2f} of the time", row["rival"]))
        share = 0.8 if matches(name, NEAR_LIMIT) else 0.6
        if row["share"] < share:
            found.append((f"{row['share']:.0%} of the limit by {row['bound']}, target {share:.0%}", "limit"))
        whys = dict.fromkeys(reason(f"{name} {who}") for _, who in found)
        if found:
            lines.append([name, str(row["threads"]), "; ".join(what for what, _ in found), "; ".join(whys)])
    return table(["workload", "threads", "missed", "reason"], lines)


# ---- Document ------------------------------------------------------------------------------------------------------


def peers_part(results: dict) -> list[str]:
    rows = results["rows"]
    threads = sorted({row["threads"] for row in rows})
    lines = ["## Means", "", "The peer's time divided by Tesela's, over the workloads that the peer supports. The targets for Resize are",
             "5.5 for the best peer of each workload, 14 for ONNX Runtime and 40 for OpenVINO. At the limit: if each workload",
             "took no longer than its limit, which is what this machine allows at most.", "", *means(rows, threads),
             "![Time of each library divided by Tesela's, by workload](benchmarks-peers.svg)", ""]
    for count in threads:
        chosen = [row for row in rows if row["threads"] == count]
        title = f"{count} thread" + "s" * (count > 1)
        lines += [f"## Workloads, {title}", "", *same_table(chosen)]
        lines += [f"## Other layouts and fixed point, {title}", "",
                  "These peers do less work: channels last where the workload has planes, or 8 bits in 16-bit fixed point.", "",
                  *other_table(chosen)]
    return lines + ["## Targets missed", "", *misses(rows)]


def introduction(results: dict) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    return [(ROOT / "bench" / "introduction.md").read_text().rstrip(), "",
            f"Machine: {results['machine']}. Peers: {versions}. Measured {results['date']}.", ""]


def other_machines() -> list[str]:
    """Figures that this machine cannot measure, written down with their date."""
    return [(ROOT / "bench" / "other_machines.md").read_text().rstrip()]


def main() -> None:
    results = load("peers")
    lines = introduction(results) + peers_part(results) + report_random.parts() + report_presets.parts() \
        + report_models.parts() + report_machine.parts() + other_machines()
    text = "\n".join(lines).rstrip() + "\n"
    DOCUMENT.write_text(text)
    plot_peers.DRAWING.write_text(plot_peers.drawing(text))
    print(f"wrote {DOCUMENT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
