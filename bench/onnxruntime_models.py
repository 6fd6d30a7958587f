# SPDX-License-Identifier: Apache-2.0
"""Models in ONNX Runtime with and without Tesela's execution provider: which load, how results differ, how long nodes take.

`scripts/setup_models.sh && .venv/bin/python bench/onnxruntime_models.py --write` generates the tables of
docs/onnxruntime.md. Without --write it prints them. It fails on differences above the documented limit. With --exported it
measures the models that `make exported` wrote instead.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import wave
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime
import tesela
import tesela.onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "conformance"))
from test_onnxruntime import REFUSED, refusal, run_refused

DOCUMENT = ROOT / "docs" / "onnxruntime.md"
LIGHT = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
PACKAGES = ROOT / "build" / "models"
OPERATORS = {"Resize", "Upsample", "Tile", "ConstantOfShape"}
# Nodes that ONNX Runtime inserts where a tensor enters or leaves the blocked layout of its convolutions.
REORDERS = {"ReorderInput", "ReorderOutput"}
RUNS = 15
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
    """Times in ms, each the shortest of RUNS. nodes: of Resize, Upsample, Tile and ConstantOfShape, with the reorders of the
    model. ours: how many nodes the provider took."""

    outputs: list
    ours: int
    nodes: float
    model: float


def measure(model, feeds):
    """By way. The ways alternate, so that they have the same neighbours."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        sessions = {way: make_session(model, settings, pathlib.Path(folder) / way) for way, settings in WAYS.items()}
        outputs = {}
        for _ in range(RUNS):
            for way, session in sessions.items():
                outputs[way] = session.run(None, feeds)
        for way, session in sessions.items():
            found[way] = read_profile(pathlib.Path(session.end_profiling()), outputs[way])
    return found


def read_profile(path, outputs):
    """Nodes are told apart by their index: some models do not name them."""
    nodes, runs, ours = {}, [], set()
    for event in json.loads(path.read_text()):
        if event["name"] == "model_run":
            runs.append(event["dur"])
        arguments = event.get("args", {})
        if not event["name"].endswith("_kernel_time"):
            continue
        if arguments.get("provider") == tesela.onnxruntime.get_ep_name():
            ours.add(arguments["node_index"])
        if arguments.get("op_name") in OPERATORS | REORDERS:
            nodes.setdefault(arguments["node_index"], []).append(event["dur"])
    return Measured(outputs, len(ours), sum(min(times) for times in nodes.values()) / 1e3, min(runs) / 1e3)


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


def model_rows(listed):
    """A row for each model with nodes of ours, then one of geometric means."""
    ratios = {way: [] for way in PLACEMENTS}
    for model in listed:
        feeds = make_feeds(model, make_session(model, None))
        found = measure(model, feeds)
        without = found["without"]
        worst = max(difference(without.outputs, found[way].outputs) for way in ratios)
        if model.exported and found["every"].ours == 0:
            continue
        if found["every"].ours == 0 or worst > limit_of(model):
            raise SystemExit(f"{model.name}: {found['every'].ours} nodes of ours, largest difference {worst:.3g}")
        for way, pairs in ratios.items():
            pairs.append((found[way].nodes / max(without.nodes, 1e-3), found[way].model / without.model))
        yield (model.name, found["every"].ours, found["fastest"].ours, f"{worst:.1e}" if worst else "none",
               *[f"{found[way].nodes:.3f}" for way in WAYS], *[f"{found[way].model:.2f}" for way in WAYS])
    means = {way: np.exp(np.log(pairs).mean(axis=0)) for way, pairs in ratios.items()}
    yield ("geometric mean of the ratios", "", "", "", "1", *[f"{means[way][0]:.2f}" for way in ratios],
           "1", *[f"{means[way][1]:.2f}" for way in ratios])
    worst = {way: max(pair[1] for pair in pairs) for way, pairs in ratios.items()}
    yield "largest ratio", *[""] * 6, "1", *[f"{worst[way]:.2f}" for way in ratios]


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


def document():
    real = table(HEAD, model_rows(models()))
    refused = table(("model", "loads without", "with", "difference from Tesela alone"), refused_rows())
    return (f"onnxruntime {onnxruntime.__version__}, Tesela {tesela.__version__}. \"Without\" and \"with\" refer to Tesela, "
            f"\"fastest\" to Tesela with placement=fastest. Times are the shortest of {RUNS} runs on all cores, the three ways in "
            f"turn; those of nodes are ONNX Runtime's profiler's, with the reorders of the whole model.\n\n{real}\n\n{refused}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="into docs/onnxruntime.md")
    parser.add_argument("--exported", action="store_true", help="the models of `make exported`")
    arguments = parser.parse_args()
    if arguments.exported:
        print(table(HEAD, model_rows(exported_models())))
        return
    made = document()
    if arguments.write:
        lead, begin, rest = DOCUMENT.read_text().partition("<!-- models: generated -->\n")
        _, end, tail = rest.partition("<!-- models: end -->")
        DOCUMENT.write_text(lead + begin + made + "\n" + end + tail)
    else:
        print(made)


if __name__ == "__main__":
    main()
