# SPDX-License-Identifier: Apache-2.0
"""The computations of docs/benchmarks.md: limits of workloads, turns, missed targets."""

import math
import sys

import pytest
from cli_program import REPOSITORY

sys.path += [str(REPOSITORY / "tests" / "conformance"), str(REPOSITORY / "bench")]

import limits
import plot
import plot_peers
import random_workloads
import report
import report_models
import report_random
import speed
import timing
import workload

CASES = {case.name: case for case in workload.read_all()}


@pytest.mark.parametrize("name, products", [
    # Outputs of each pass times its taps, by hand.
    ("R1.f32", 3 * (540 * 1920 * 2 + 1080 * 1920 * 2)),
    ("R3.f32", 3 * (224 * 1920 * 2 * 1080 / 224 + 224 * 224 * 2 * 1920 / 224)),
    ("R4a.f32", 3 * (540 * 1920 * 4 + 1080 * 1920 * 4)),
    ("R7a.f32", 128 * 256 * 256 * 2 + 128 * 256 * 512 * 2 + 128 * 512 * 512 * 2),
    ("R9.f32", 3 * (224 * 448 * 2 + 224 * 224 * 2)),  # every output has two columns of its own
    ("R5a.f32", 0),
    ("T1.f32", 0),
])
def test_products(name, products):
    assert limits.products(CASES[name]) == pytest.approx(products)


@pytest.mark.parametrize("name, inputs, outputs", [
    ("R1.f16", 3 * 540 * 960, 3 * 1080 * 1920),
    ("R2.u8", 3 * 448 * 448, 3 * 224 * 224),
    ("R14.i32", 3 * 540 * 960, 3 * 1080 * 1920),
    ("R1.f32", 0, 0),
    ("R5a.u8", 0, 0),
])
def test_arithmetic_adds_up_products_and_conversions(monkeypatch, name, inputs, outputs):
    case = CASES[name]
    monkeypatch.setattr(limits, "products_a_nanosecond", lambda kind, threads: 8)
    rates = lambda dtype, kind, to_elements, threads: (2 if to_elements else 4) if inputs else math.inf
    monkeypatch.setattr(limits, "conversions_a_nanosecond", rates)
    assert limits.arithmetic_ns(case, 1) == pytest.approx(limits.products(case) / 8 + inputs / 4 + outputs / 2)


@pytest.mark.parametrize("name, item, expected", [
    ("R1.f32", 4, 3 * 540 * 960 * 4),  # every input
    ("R2.f32", 4, 3 * 448 * 1920 * 4),  # two rows for each output row; columns lie closer than cache lines
    ("R10c.u8", 1, 3 * 1080 * 3840),  # every other row
    ("R9.f32", 4, 448 * 1920 * 3 * 4 * (24 + 63) / (1920 / 224 * 12)),  # gaps of more than a line between pixels
    ("T1.f32", 4, 1024 * 1024 * 4),
    ("T5.u8", 1, 7 * 13 * 3),
])
def test_needed_bytes(name, item, expected):
    assert limits.needed_bytes(CASES[name], item) == pytest.approx(expected, rel=0.02)


def test_limits_of_a_crop_are_those_of_its_part():
    case = workload.parse("linear tf_crop_and_resize float 3x100x200 -> 3x40x100 roi=0,0,0.5,1,0.5,1.5")
    # Of 50 rows and 100 columns to 40 rows and 50 columns; the other columns are outside.
    assert limits.products(case) == pytest.approx(3 * (40 * 100 * 2 + 40 * 50 * 2))
    assert limits.needed_bytes(case, 4) == pytest.approx(3 * 50 * 100 * 4)


@pytest.mark.parametrize("name, kind", [
    ("R1.f32", limits.FLOAT), ("R1.u8", limits.INT16), ("R12.u8", limits.INT16), ("R2.u8", limits.FLOAT),
    ("R4a.u8", limits.FLOAT), ("R6a.u8", limits.FLOAT), ("R14.i32", limits.DOUBLE), ("R14.f64", limits.DOUBLE),
])
def test_kind_of_products(name, kind):
    assert limits.kind_of_products(CASES[name]) == kind


class SimulatedTime:
    """Of the functions of the module time: seconds pass in sleep alone, so that measurements do not depend on the machine."""

    def __init__(self):
        self.nanoseconds = 0

    def perf_counter_ns(self) -> int:
        return self.nanoseconds

    def perf_counter(self) -> float:
        return self.nanoseconds * 1e-9

    def sleep(self, seconds: float) -> None:
        self.nanoseconds += round(seconds * 1e9)


@pytest.fixture
def simulated(monkeypatch) -> SimulatedTime:
    found = SimulatedTime()
    monkeypatch.setattr(timing, "time", found)
    monkeypatch.setattr(speed, "time", found)
    return found


def test_peers_take_turns(simulated):
    order = []
    calls = {name: lambda name=name: (order.append(name), simulated.sleep(0.002)) for name in "abc"}
    times = timing.measure(calls, {"clock": lambda: 5.0}, rounds=3, block_seconds=0.004)
    turns = [name for name, before in zip(order, [None, *order]) if name != before]
    assert "".join(turns[3:]) == "abcbcacab"  # after the warm-up, each round begins with another
    assert all(times[name].best == times[name].median == 2e6 for name in "abc")
    assert times["clock"].samples == [5.0] * 6


def test_tiny_calls_are_repeated_outside_python(simulated):
    counts = []
    times = timing.measure({"tiny": lambda: None}, {}, rounds=2, block_seconds=0.001, many={"tiny": counts.append})
    assert len(counts) == len(times["tiny"].samples) and min(counts) > 1


def test_random_workloads_are_valid_and_reproducible():
    lines = list(random_workloads.lines(3, 300))
    assert lines == list(random_workloads.lines(3, 300))[:300] != list(random_workloads.lines(4, 300))
    cases = workload.parse_all(lines)
    assert {case.name.partition(".")[0] for case in cases} == {family.__name__ for family in random_workloads.FAMILIES}
    assert all(case.source != case.target for case in cases)
    for case, line in zip(cases, lines):
        item = random_workloads.TYPES[case.dtype]
        count = math.prod(case.target) + (math.prod(case.source) if case.source else 0)
        assert random_workloads.bytes_of(line.partition(": ")[2]) == item * count <= random_workloads.MOST_BYTES


def test_random_workloads_behind_are_listed():
    rows = [row("planar.0", 2, 1), row("planar.1", 0.95, 1), row("tile.2", 0.8, 1), row("tile.3", 0.5, 1)]
    rows.append(row("fill.4", 1, 1) | {"ratio": None})
    for each in rows:
        each["case"] = f"{each['name']}: the line of {each['name']}"
    text = report_random.part(rows)
    assert text[0].startswith("1 thread: of 5 workloads 4 have a peer")
    assert "| tile | 2 | 0.63 | 2 | 1 |" in text and "| planar | 2 | 1.38 | 0 | 0 |" in text
    worst = [line.split(" | ") for line in text if line.startswith("| `")]
    assert [(line[0], line[3]) for line in worst] == [("| `the line of tile.3`", "2.00"), ("| `the line of tile.2`", "1.25")]


def test_turns_begin_with_calls_that_do_not_count(simulated):
    made = []
    for seconds, calls in ((60, 4), (0, 1)):  # of a turn
        made.clear()
        timing.Timer(seconds).warm(lambda: (made.append(1), simulated.sleep(0.001)), 4)
        assert len(made) == calls
    made.clear()
    times = timing.measure({"one": lambda: (made.append(1), simulated.sleep(0.001))}, {}, rounds=1, block_seconds=0.003)
    assert (len(made), len(times["one"].samples)) == (5 + timing.WARM_CALLS, 3)  # five before all turns


def test_slow_peer_has_few_samples(simulated):
    calls = {"fast": lambda: simulated.sleep(0.001), "slow": lambda: simulated.sleep(0.03)}
    times = timing.measure(calls, {}, rounds=5, block_seconds=0.005)
    assert len(times["slow"].samples) == timing.LOOKS
    assert len(times["fast"].samples) == 5 * 5


def test_speed_is_a_share_of_the_fastest_in_the_last_minutes():
    rates, clock = [10.0, 5.0, 8.0, 20.0, 10.0, 10.0], [0.0]
    gauge = speed.Speed(lambda threads: rates.pop(0), lambda: clock[0])
    assert [gauge.share(1) for _ in range(5)] == [1.0, 0.5, 0.8, 1.0, 0.5]
    clock[0] = speed.WINDOW_SECONDS + 1
    assert gauge.share(1) == 1.0


ONE_TURN = 5 + timing.WARM_CALLS  # calls: five before all turns, and the first turn's, of which the last few are samples


@pytest.fixture
def disturbed_calls(simulated):
    def measured(is_disturbed) -> tuple:
        """Times of one contestant, and how often it was called. is_disturbed: calls so far -> whether the processors are slow."""
        made = []
        rates = speed.Speed(lambda threads: 0.5 if is_disturbed(len(made)) else 1.0, simulated.perf_counter)
        calls = {"one": lambda: (made.append(len(made)), simulated.sleep(0.001))}
        times = timing.measure(calls, {}, rounds=4, block_seconds=0.003, speed=rates)
        return times["one"], len(made)

    return measured


def test_disturbed_samples_do_not_count(disturbed_calls):
    times, _ = disturbed_calls(lambda number: 6 < number - ONE_TURN < 11)
    # In the second turn, which lasts twice as long as its three samples, two of six are undisturbed.
    assert (len(times.samples), len(times.disturbed), times.rounds) == (3 + 2 + 3 + 3, 4, 4)
    assert times.counted == times.samples


def test_disturbed_rounds_are_repeated(disturbed_calls):
    undisturbed, calls = disturbed_calls(lambda number: False)
    assert (undisturbed.rounds, len(undisturbed.samples), undisturbed.disturbed) == (4, 4 * 3, [])
    times, more = disturbed_calls(lambda number: number > ONE_TURN)
    assert (times.rounds, len(times.samples), len(times.disturbed)) == (1, 3, (timing.MOST * 4 - 1) * 6)  # then it gives up
    assert more > 2 * calls and times.counted == times.samples


def test_disturbed_samples_count_without_others():
    times = timing.Times([], [2.0, 3.0, 7.0])
    assert (times.best, times.median) == (2.0, 3.0)


def row(name: str, ratio: float, share: float) -> dict:
    peer = {"best": 1e6, "median": 1e6, "ratio": ratio, "near": True, "same": True}
    other = {"best": 5e5, "median": 5e5, "ratio": 0.5, "near": True, "same": False}
    wrong = {"best": 1e5, "median": 1e5, "ratio": 0.1, "near": False, "same": False}
    ours = {"best": 1e6, "median": 1e6, "ratio": 1.0, "near": True, "same": True}
    return {"name": name, "threads": 1, "ratio": ratio, "median_ratio": ratio, "rival": "torch", "share": share,
            "bound": "bytes", "times": {"tesela": ours, "torch": peer, "opencv": other, "zimg": wrong}}


def test_missed_targets_are_listed():
    rows = [row("R1.f32", 0.99, 0.9), row("R2.f32", 0.96, 0.7), row("R3.f32", 2, 0.5), row("T1.f32", 0.9, 0.79),
            row("tiny.fill", 2, 0.01)]
    found = [line.split(" | ")[:3] for line in report.misses(rows)[2:-1]]
    assert found == [["| R1.f32", "1", "torch takes 0.99 of the time"],
                     ["| R3.f32", "1", "50% of the limit by bytes, target 60%"],
                     ["| T1.f32", "1", "torch takes 0.90 of the time; 79% of the limit by bytes, target 80%"]]


def test_peers_are_in_the_right_table():
    rows = [row("R1.f32", 4, 1), row("R3.f32", 9, 1)]
    assert "| 6.0 (2) |" in report.means(rows, [1])[2]  # the geometric mean, over so many
    assert "opencv" in report.other_table(rows)[0] and "zimg" not in report.other_table(rows)[0]
    line = report.same_table(rows)[2].split(" | ")
    named = dict(zip(report.same_table(rows)[0].split(" | "), line))
    assert (named["torch"], named["opencv"], named["zimg"]) == ("4.00", "-", "-")


def test_plot_is_an_image():
    import xml.etree.ElementTree as xml

    series = {f"{mode} {dtype}": [[8, 20.0], [64, 0.5]] for mode in plot.COLOURS for dtype in ("float", "uint8")}
    picture = xml.fromstring(plot.document(series, series))
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 4 * len(plot.COLOURS) and all(len(line.get("points").split()) == 2 for line in lines)


def test_drawing_of_peers_is_that_of_the_document():
    text = plot_peers.DOCUMENT.read_text()
    found = plot_peers.ratios(text)
    assert {"onnxruntime", "openvino", "torch"} <= set(found) and len(found["onnxruntime"]["R"]) > 30
    assert plot_peers.DRAWING.read_text() == plot_peers.drawing(text)
    assert plot_peers.DRAWING.name in text
    assert plot_peers.across(1) < plot_peers.across(2) < plot_peers.across(1e9) == plot_peers.across(2.0**plot_peers.HIGH)


def test_models_slower_than_without_the_provider_are_listed():
    def measured(name, nodes, model):
        return {"name": name, "ours": {"every": 2, "fastest": 1}, "nodes": {"without": 1.0, "every": nodes, "fastest": nodes},
                "model": {"without": 10.0, "every": model, "fastest": model}}

    found = {"models": [measured("quick", 0.25, 9.0)], "exported": [measured("even", 1.0, 10.2), measured("slow", 4.0, 11.0)]}
    summary, slowest = report_models.summary(found), report_models.slowest(found)
    assert summary[3] == "| 1 of PyPI packages | `placement=fastest` | 0.25 | 0.90 | 0.90 | 0 |"
    assert summary[5] == "| 2 that exporters write | `placement=fastest` | 2.00 | 1.06 | 1.10 | 1 |"
    assert [line.split(" | ")[0] for line in slowest[2:5]] == ["| slow", "| even", "| quick"]
    assert slowest[2].endswith("| 1.100 | not explained yet |") and slowest[3].endswith("| 1.020 |  |")
