# SPDX-License-Identifier: Apache-2.0
"""Runs exported models by every route into a runtime, and in that runtime alone.

    python routes.py file|onnxruntime|openvino MODEL ...

prints a line of JSON for each model: for each route, whether it loaded and how much its outputs differ. It runs in a
separate process, because runtimes alone crash on some of these models."""

from __future__ import annotations

import json
import pathlib
import sys

import numpy as np
from exported import ROOT, Exported

OPERATORS = {"Resize", "Upsample", "Tile", "ConstantOfShape", "Interpolate"}


def difference(before: list[np.ndarray], after: list[np.ndarray]) -> float:
    """The largest difference of any output, relative to that output's largest magnitude; infinite if shapes, types or the
    positions of non-finite elements differ."""
    worst = 0.0
    for a, b in zip(before, after, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            return np.inf
        if a.tobytes() == b.tobytes() or a.size == 0:
            continue
        a, b = a.astype(np.float64), b.astype(np.float64)
        finite = np.isfinite(a)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            return np.inf
        magnitude = np.abs(a[finite]).max(initial=0)
        off = np.abs(a[finite] - b[finite]).max(initial=0)
        worst = max(worst, float(off / magnitude) if magnitude else np.inf if off else 0.0)
    return worst


def attempt(run) -> dict:
    """{"outputs": of each feed} or {"refused": reason}."""
    try:
        return {"outputs": run()}
    except Exception as error:  # runtimes have no common exception class
        return {"refused": " ".join(str(error).split())[:300]}


def beside(stock: dict, ours: dict) -> dict:
    if "refused" in ours:
        return {"loads": False, "reason": ours["refused"]}
    if "refused" in stock:
        return {"loads": True, "difference": None}
    return {"loads": True, "difference": max(map(difference, stock["outputs"], ours["outputs"]), default=0.0)}


def described(stock: dict) -> dict:
    return {"loads": "outputs" in stock, "reason": stock.get("refused", "")}


# ---- The file ---------------------------------------------------------------------------------------------------------


def file_routes(model: Exported) -> dict:
    """The results of check and inspect, and our nodes."""
    import tesela

    loaded = tesela.load(str(model.path))
    report = loaded.check()
    nodes = [node for node in loaded.inspect()["nodes"] if node["operator"] in OPERATORS]
    shapes = [end.get("dims") for node in nodes for end in node["outputs"]]
    modes = [attribute["value"] for node in nodes for attribute in node["attributes"] if attribute["name"] == "mode"]
    return {"nodes": len(nodes), "operators": sorted({node["operator"] for node in nodes}),
            "findings": [str(finding)[:300] for finding in report.findings], "faults": not report,
            "ranks": sum(shape is not None for shape in shapes), "moves": all(mode == "nearest" for mode in modes)}


# ---- ONNX Runtime -----------------------------------------------------------------------------------------------------


def onnxruntime_options():
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return options


def onnxruntime_routes(model: Exported) -> dict:
    import onnxruntime
    import tesela.onnxruntime

    path, feeds = str(model.path), model.feeds()
    cpu = {"providers": ["CPUExecutionProvider"], "enable_fallback": 0}

    def by(make):
        def run():
            session = make()
            wanted = {end.name for end in session.get_inputs()}
            return [session.run(None, {n: x for n, x in feed.items() if n in wanted}) for feed in feeds]

        return attempt(run)

    stock = by(lambda: onnxruntime.InferenceSession(path, onnxruntime_options(), **cpu))
    provider = by(lambda: tesela.onnxruntime.make_session(path, onnxruntime_options()))
    host = by(lambda: tesela.onnxruntime.make_session(path, onnxruntime_options(),
                                                      provider_options={"semantics": "onnxruntime"}))
    override = by(lambda: onnxruntime.InferenceSession(path, tesela.onnxruntime.override(onnxruntime_options()), **cpu))
    return {"stock": described(stock), "provider": beside(stock, provider), "provider, its rules": beside(stock, host),
            "override": beside(stock, override), "left": nodes_left(path), **inspected(model.path, feeds)}


def nodes_left(path: str) -> list[str]:
    """Our nodes that the provider leaves to others, from its log."""
    import tesela.onnxruntime

    options = onnxruntime_options()
    options.log_severity_level = 2
    said = stderr_of(lambda: attempt(lambda: tesela.onnxruntime.make_session(path, options, provider_options={"log": "nodes"})))
    return [" ".join(line.split())[:300] for line in said.splitlines() if "left to others" in line]


def stderr_of(run) -> str:
    """Also captures the output of C++ libraries."""
    import os
    import tempfile

    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            run()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        return file.read().decode(errors="replace")


def inspected(path: pathlib.Path, feeds: list) -> dict:
    """Compares the shapes that inspect infers with those that ONNX Runtime computes, for our nodes of the main graph."""
    import onnx
    import onnxruntime
    import tesela

    model = onnx.load(path)
    convolves = any(node.op_type in ("Conv", "ConvTranspose") for node in model.graph.node)
    top = {node.output[0] for node in model.graph.node if node.op_type in OPERATORS}
    found = {end["name"]: end.get("dims") for node in tesela.load(str(path)).inspect()["nodes"]
             for end in node["outputs"] if end["name"] in top}
    there = {end.name for end in model.graph.output}
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in sorted(top - there))
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), onnxruntime_options(),
                                               providers=["CPUExecutionProvider"], enable_fallback=0)
        wanted = {end.name for end in session.get_inputs()}
        runs = [dict(zip(sorted(top), session.run(sorted(top), {n: x for n, x in feed.items() if n in wanted})))
                for feed in feeds]
    except Exception as error:
        return {"convolves": convolves, "inspect": "not compared: " + " ".join(str(error).split())[:300]}
    for outputs in runs:
        for name, shape in found.items():
            real = outputs[name].shape
            if shape is not None and (len(shape) != len(real) or any(
                    isinstance(n, int) and n != m for n, m in zip(shape, real))):
                return {"convolves": convolves, "inspect": f"{name}: {shape} is {list(real)}"}
    return {"convolves": convolves, "inspect": ""}


# ---- OpenVINO ---------------------------------------------------------------------------------------------------------

CONFIG = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 2}


def openvino_routes(model: Exported) -> dict:
    import openvino as ov
    import tesela.openvino

    path, feeds = model.path, model.feeds()
    made = {}

    def by(name, prepare):
        def run():
            core = ov.Core()
            read = prepare(core)
            made[name] = sum(node.get_type_name().startswith("Tesela") for node in read.get_ordered_ops())
            compiled = core.compile_model(read, "CPU", CONFIG)
            outputs = []
            for feed in feeds:
                results = compiled(fed(compiled, feed))
                outputs.append([np.array(results[k]) for k in range(len(compiled.outputs))])
            return outputs

        return attempt(run)

    def extended(core):
        core.add_extension(str(ROOT / "build" / "libtesela_openvino.so"))
        return core.read_model(path)

    def registered(core):
        tesela.openvino.register(core)
        return core.read_model(path)

    def replaced(core):
        read = core.read_model(path)
        tesela.openvino.replace(read)
        return read

    stock = by("stock", lambda core: core.read_model(path))
    routes = {"stock": described(stock)}
    for name, prepare in (("extension", extended), ("register", registered), ("replace", replaced)):
        if name == "register" and path.suffix == ".xml":
            continue
        routes[name] = beside(stock, by(name, prepare)) | {"nodes": made.get(name, 0)}
    return routes


def fed(compiled, feed: dict) -> list[np.ndarray]:
    """The feed in the order of the model's inputs: by name for ONNX models, and in its own order for IRs, whose names come from
    the frontend."""
    names = [end.get_names() for end in compiled.inputs]
    by_name = [next((feed[name] for name in known if name in feed), None) for known in names]
    return list(feed.values()) if any(array is None for array in by_name) else by_name


def main() -> None:
    make = {"file": file_routes, "onnxruntime": onnxruntime_routes, "openvino": openvino_routes}[sys.argv[1]]
    for path in map(pathlib.Path, sys.argv[2:]):
        about = json.loads(path.with_suffix(".json").read_text())
        print("\n" + json.dumps({"name": path.stem} | make(Exported(path, about))), flush=True)


if __name__ == "__main__":
    main()
