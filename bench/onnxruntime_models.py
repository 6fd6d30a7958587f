# SPDX-License-Identifier: Apache-2.0
"""Models in ONNX Runtime with and without Tesela's execution provider: which load, how results differ, how long nodes take.

`scripts/setup_models.sh && .venv/bin/python bench/onnxruntime_models.py --write` generates the tables of
docs/onnxruntime.md. Without --write it prints them. It fails on differences above the documented limit. With --exported it
measures the models that `make exported` wrote instead. --json FILE writes the measurements too.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime
import tesela
import tesela.onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "conformance"))
from tables import SLOWER, ratio_to_onnxruntime
from test_onnxruntime import REFUSED, refusal, run_refused

DOCUMENT = ROOT / "docs" / "onnxruntime.md"
LIGHT = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
PACKAGES = ROOT / "build" / "models"
OPERATORS = {"Resize", "Upsample", "Tile", "ConstantOfShape"}
# Nodes that ONNX Runtime inserts where a tensor enters or leaves the blocked layout of its convolutions.
REORDERS = {"ReorderInput", "ReorderOutput"}
# Sessions for each way, and runs of each: at least RUNS, and more within SECONDS. Where the provider seems to slow a model, it
# is measured again with more sessions.
SESSIONS = 5
SESSIONS_AGAIN = 11
RUNS = 8
SECONDS = 0.03
TOLERANCE = 1e-5  # of the largest magnitude, for models with a node of ours that computes; else outputs must be equal


def photo(height, width, channels=3):
    """The photograph of the demo as [1, C, H, W] in [0, 1]."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.npy"
        subprocess.run([sys.executable, "-m", "tesela", "resize", ROOT / "examples" / "grace_hopper.jpg", path, "--quiet",
                        "--sizes", f"{height},{width}", "--mode", "linear", "--antialias", "1"], check=True)
        pixels = np.load(path)[:, :, :channels]
    return (pixels.transpose(2, 0, 1)[None] / np.float32(255)).astype(np.float32)


def speech(samples):
    """The middle of the words "front center" from a Linux speaker test, at 16 kHz in [-1, 1]."""
    with wave.open(str(PACKAGES / "alsa-utils/usr/share/sounds/alsa/Front_Center.wav")) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (48000, 1, 2)
        spoken = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    spoken = tesela.resize(spoken.astype(np.float32) / 32768, sizes=[len(spoken) // 3], mode="linear", antialias=True)
    loudest = max(range(0, len(spoken) - samples, samples), key=lambda at: np.abs(spoken[at:at + samples]).sum())
    return spoken[loudest:loudest + samples]


def voice_state(**inputs):
    return lambda: {"input": speech(576)[None], "state": np.zeros((2, 1, 128), np.float32)} | inputs


@dataclass
class Model:
    """name: in the table. path: of the file. feeds: creates the inputs. folding: whether ONNX Runtime folds constants.
    exported: by `make exported`; ONNX Runtime may fold all nodes of ours, and its convolutions round otherwise where a
    neighbour leaves their layout, so that outputs differ where ours are equal."""

    name: str
    path: pathlib.Path
    feeds: object
    folding: bool = True
    exported: bool = False


def models():
    rate = {"sr": np.array(16000)}
    listed = [
        Model("rapidocr-onnxruntime: ch_PP-OCRv4_det", PACKAGES / "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
              lambda: {"x": (photo(736, 736) - np.float32(0.5)) * 2}),
        Model("nudenet: 320n", PACKAGES / "nudenet/320n.onnx", lambda: {"images": photo(320, 320)}),
        Model("ddddocr: common_det", PACKAGES / "ddddocr/common_det.onnx", lambda: {"images": photo(416, 416) * 255}),
        Model("ddddocr: common", PACKAGES / "ddddocr/common.onnx", lambda: {"input1": photo(64, 200, 1)}),
    ]
    # In the other models each ConstantOfShape has a constant input, and ONNX Runtime would fold it with its own kernels.
    for name, more in (("silero_vad", rate), ("silero_vad_half", {})):
        listed.append(Model(f"silero-vad: {name}, not folded", PACKAGES / f"silero_vad/data/{name}.onnx",
                            voice_state(**more), folding=False))
    for path in sorted(LIGHT.glob("light_*.onnx")):
        listed.append(Model(f"onnx: {path.stem}, not folded", path, None, folding=False))
    return listed


def make_feeds(model, session):
    if model.feeds is not None:
        return model.feeds()
    return {end.name: photo(*end.shape[2:]) for end in session.get_inputs()
            if end.name not in {i.name for i in session.get_overridable_initializers()}}


# The options of the provider for each placement of nodes; of WAYS, None runs without the provider.
PLACEMENTS = {"every": {}, "fastest": {"placement": "fastest"}}
WAYS = {"without": None} | PLACEMENTS


def make_session(model, settings, profile=None):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    if profile:
        options.enable_profiling = True
        options.profile_file_prefix = str(profile)
    disabled = [] if model.folding else ["ConstantFolding"]
    if settings is not None:
        return tesela.onnxruntime.make_session(str(model.path), options, provider_options=settings,
                                               disabled_optimizers=disabled)
    return onnxruntime.InferenceSession(str(model.path), options, providers=["CPUExecutionProvider"],
                                        disabled_optimizers=disabled, enable_fallback=0)


@dataclass
class Measured:
    """Times in ms. nodes: of Resize, Upsample, Tile and ConstantOfShape, with the reorders of the model, each the shortest of
    all runs. model: the median of the sessions' shortest runs. ours: how many nodes the provider took."""

    outputs: list
    ours: int
    nodes: float
    model: float


def shortest_run(session, feeds):
    """In ms."""
    times = []
    while len(times) < RUNS or sum(times) < SECONDS:
        begin = time.perf_counter()
        session.run(None, feeds)
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def measure(model, feeds, sessions):
    """By way. The ways alternate, so that they have the same neighbours, and no two sessions exist at a time, because the
    threads of an idle one still spin. Models are timed without the profiler, which costs some microseconds a node."""
    times, nodes, ours, outputs = ({way: made() for way in WAYS} for made in (list, dict, set, list))
    for _ in range(sessions):
        for way, settings in WAYS.items():
            session = make_session(model, settings)
            session.run(None, feeds)
            times[way].append(shortest_run(session, feeds))
            del session
            with tempfile.TemporaryDirectory() as folder:
                session = make_session(model, settings, pathlib.Path(folder) / way)
                for _ in range(RUNS):
                    outputs[way] = session.run(None, feeds)
                add_profile(pathlib.Path(session.end_profiling()), nodes[way], ours[way])
            del session
    return {way: Measured(outputs[way], len(ours[way]), sum(nodes[way].values()) / 1e3, statistics.median(times[way]))
            for way in WAYS}


def add_profile(path, nodes, ours):
    """Lowers `nodes`, shortest times in microseconds, and adds to `ours`. Nodes are told apart by their index: some models do
    not name them."""
    for event in json.loads(path.read_text()):
        arguments = event.get("args", {})
        if not event["name"].endswith("_kernel_time"):
            continue
        index = arguments["node_index"]
        if arguments.get("provider") == tesela.onnxruntime.get_ep_name():
            ours.add(index)
        if arguments.get("op_name") in OPERATORS | REORDERS:
            nodes[index] = min(nodes.get(index, event["dur"]), event["dur"])


def difference(before, after):
    """The largest difference of any output, relative to that output's largest magnitude."""
    worst = 0.0
    for a, b in zip(before, after, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        if a.tobytes() != b.tobytes():
            a, b = a.astype(np.float64), b.astype(np.float64)
            worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


def moves_only(model):
    nodes = tesela.load(str(model.path)).inspect()["nodes"]
    modes = [attribute["value"] for node in nodes for attribute in node["attributes"] if attribute["name"] == "mode"]
    return all(mode == "nearest" for mode in modes)


def limit_of(model):
    """The largest difference that is allowed."""
    return 0 if moves_only(model) and not model.exported else TOLERANCE


def measured(listed):
    """Each model with nodes of ours: its name, its largest difference and what was measured, by way."""
    for model in listed:
        feeds = make_feeds(model, make_session(model, None))
        found = measure(model, feeds, SESSIONS)
        if max(found[way].model for way in PLACEMENTS) > SLOWER * found["without"].model:
            found = measure(model, feeds, SESSIONS_AGAIN)
        worst = max(difference(found["without"].outputs, found[way].outputs) for way in PLACEMENTS)
        if model.exported and found["every"].ours == 0:
            continue
        if found["every"].ours == 0 or worst > limit_of(model):
            raise SystemExit(f"{model.name}: {found['every'].ours} nodes of ours, largest difference {worst:.3g}")
        yield {"name": model.name, "difference": worst, "ours": {way: found[way].ours for way in WAYS},
               "nodes": {way: found[way].nodes for way in WAYS}, "model": {way: found[way].model for way in WAYS}}


def model_rows(found):
    """A row for each model, then geometric means and largest ratios."""
    for row in found:
        yield (row["name"], row["ours"]["every"], row["ours"]["fastest"], f"{row['difference']:.1e}" if row["difference"] else "none",
               *[f"{row['nodes'][way]:.3f}" for way in WAYS], *[f"{row['model'][way]:.2f}" for way in WAYS])
    for title, take in (("geometric mean of the ratios", statistics.geometric_mean), ("largest ratio", max)):
        yield (title, *[""] * 3, *[cell for what in ("nodes", "model") for cell in
                                   ("1", *[f"{take([ratio_to_onnxruntime(row, what, way) for row in found]):.2f}" for way in PLACEMENTS])])


def exported_models():
    """The models of `make exported`, of which ONNX Runtime loads and runs all nodes."""
    sys.path.insert(0, str(ROOT / "tests" / "live" / "exporters"))
    from exported import BUILT, models_in

    for exported in models_in(BUILT):
        if exported.path.suffix != ".onnx":
            continue
        model = Model(exported.name, exported.path, lambda exported=exported: exported.feeds()[0], exported=True)
        operators = {node["operator"] for node in tesela.load(str(model.path)).inspect()["nodes"]}
        if not operators & OPERATORS:
            continue
        try:
            make_session(model, None).run(None, model.feeds())
        except Exception as error:
            print(f"{model.name}: ONNX Runtime: {first_reason(str(error))}", file=sys.stderr)
            continue
        yield model


def refused_rows():
    for name, node in REFUSED.items():
        reason = refusal(node)
        run_refused(node)
        yield name, "no: " + first_reason(reason), "yes", "none"


def first_reason(text):
    text = text.split(" : ", 2)[-1]
    for noise in ("NOT_IMPLEMENTED : ", "FAIL : "):
        text = text.removeprefix(noise)
    return text.replace("|", "/").replace("\n", " ")[:90]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


HEAD = ("model", "our nodes", "fastest", "largest difference", "nodes and reorders without, ms", "with", "fastest",
        "model without, ms", "with", "fastest")


def document(found):
    refused = table(("model", "loads without", "with", "difference from Tesela alone"), refused_rows())
    return (f"onnxruntime {onnxruntime.__version__}, Tesela {tesela.__version__}. \"Without\" and \"with\" refer to Tesela, "
            f"\"fastest\" to Tesela with placement=fastest. Times are on all cores, in {SESSIONS} sessions for each of the three ways, "
            f"which alternate, or {SESSIONS_AGAIN} where Tesela seems slower: of a model, the median of the sessions' shortest runs; of "
            "nodes, the shortest of all runs with ONNX Runtime's profiler, with the reorders of the whole model."
            f"\n\n{table(HEAD, model_rows(found))}\n\n{refused}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="into docs/onnxruntime.md")
    parser.add_argument("--exported", action="store_true", help="the models of `make exported`")
    parser.add_argument("--json", type=pathlib.Path, help="a file for the measurements")
    arguments = parser.parse_args()
    if arguments.write and arguments.exported:
        parser.error("--write is for the models of docs/onnxruntime.md, without --exported")
    found = list(measured(exported_models() if arguments.exported else models()))
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")
    if arguments.exported:
        print(table(HEAD, model_rows(found)))
        return
    made = document(found)
    if arguments.write:
        lead, begin, rest = DOCUMENT.read_text().partition("<!-- models: generated -->\n")
        _, end, tail = rest.partition("<!-- models: end -->")
        DOCUMENT.write_text(lead + begin + made + "\n" + end + tail)
    else:
        print(made)


if __name__ == "__main__":
    main()
