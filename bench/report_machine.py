# SPDX-License-Identifier: Apache-2.0
"""The parts of docs/benchmarks.md without peers: kernels, the sweep, tiny calls, memory, start-up, size."""

from __future__ import annotations

from tables import load, reason, table


def parts() -> list[str]:
    return kernels() + sweep() + tiny() + footprint()


# ---- Kernels -------------------------------------------------------------------------------------------------------


def kernels() -> list[str]:
    """Each row of kernels.def: its share of the limit on each instruction set, and for each element type."""
    shares = {}
    for entry in load("kernels")["benchmarks"]:
        row, _, column = entry["name"].partition("/")
        shares.setdefault(row, {})[column] = "error" if entry.get("error_occurred") else f"{entry['of_limit']:.0%}"
    columns = list(dict.fromkeys(column for row in shares.values() for column in row))
    targets = [column for column in columns if column.isupper()]
    types = [column for column in columns if column not in targets]
    lines = ["## Kernels", "",
             "Share of the machine's limit for the sample of each row of `kernels.def`, enlarged to 256 KiB of output, on one",
             "thread: on each instruction set, then on the best one for each element type. The limit counts no",
             "conversions and no permutations.", ""]
    for title, chosen in (("kernel, by instruction set", targets), ("kernel, by element type", types)):
        lines += table([title, *chosen], [[row, *(found.get(column, "-") for column in chosen)]
                                          for row, found in shares.items()])
    return lines


# ---- Sweep ---------------------------------------------------------------------------------------------------------


def sweep() -> list[str]:
    lines = ["## Sizes and scales", "", "![Cost per output element](benchmarks-sweep.svg)", "",
             "Neighbouring points whose cost per output element differs by more than a factor of 1.5. The fixed cost of a call",
             "and, below scale 1, the growing number of inputs per output are not counted.", ""]
    rows = [[entry["series"], f"`{entry['from']}`", f"`{entry['to']}`",
             " -> ".join(f"{cost:.3g}" for cost in entry["costs"]), reason(f"sweep {entry['from']} | {entry['to']}")]
            for entry in load("sweep")["cliffs"]]
    return lines + (table(["series", "from", "to", "ns", "reason"], rows) if rows else ["None.", ""])


# ---- Tiny calls ----------------------------------------------------------------------------------------------------


def tiny() -> list[str]:
    rows = [[f"`{case['case']}`", *(f"{case[key]:.0f}" for key in ("min_ns", "cached_min_ns", "planned_min_ns"))]
            for case in load("tiny")["cases"]]
    return ["## Tiny calls", "", "Nanoseconds for a call through the C interface on one thread.", "",
            *table(["call", "with an existing plan", "with a plan from `tesela_plan_cache`", "with a new plan each time"], rows)]


# ---- Footprint -----------------------------------------------------------------------------------------------------


def footprint() -> list[str]:
    found = load("footprint")
    memory = {}
    for row in found["memory"]:
        memory.setdefault(row["name"], []).append(str(row["kib"]))
    cache = " (with a compiler cache, so the real time is longer)" if found["cached_build"] else ""
    lines = ["## Memory, start-up, size", "",
             "Peak memory that the first run of a workload adds to input, output and plan, in KiB.", "",
             *table(["workload", "1 thread", "2 threads"], [[name, *kib] for name, kib in memory.items()]),
             "Milliseconds from the start of a process to its first result, linear 8x8 -> 16x16.", "",
             *table(["process", "ms"], [[name, f"{s * 1e3:.0f}"] for name, s in found["first"].items()])]
    size, spent = found["library_bytes"] / 1e6, found["build_seconds"]
    return lines + [f"The shared library is {size:.2f} MB without symbols. Compiling and linking it takes {spent:.0f} "
                    f"seconds of processor time{cache}.", ""]
