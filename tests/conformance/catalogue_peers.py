# SPDX-License-Identifier: Apache-2.0
"""Runs one-node models in the peers of the catalogue. OpenVINO crashes on some, so it runs in a worker.

As a program: reads pickled (model, inputs) from the file of its first argument, from the position of its second on, and appends
a pickled "start" and a result to the file of its third: an array, or an error message."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from peer_process import CRASHED, ENVIRONMENT, read_results


def run_onnxruntime(models: list) -> list:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1

    def result(data: bytes, inputs: dict):
        try:
            session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"], enable_fallback=0)
            return session.run(None, inputs)[0]
        except Exception as error:
            return str(error)

    return [result(*one) for one in models]


def run_onnx_reference(models: list) -> list:
    import onnx
    from onnx.reference import ReferenceEvaluator

    def result(data: bytes, inputs: dict):
        try:
            with np.errstate(all="ignore"):
                found = ReferenceEvaluator(onnx.load_from_string(data)).run(None, inputs)[0]
            return "nothing" if found is None else np.asarray(found)
        except Exception as error:
            return str(error)

    return [result(*one) for one in models]


def run_openvino(models: list) -> list:
    results: list = []
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "models", Path(folder) / "results"
        source.write_bytes(pickle.dumps(models))
        while len(results) < len(models):
            target.write_bytes(b"")
            words = [sys.executable, __file__, str(source), str(len(results)), str(target)]
            worker = subprocess.run(words, env=ENVIRONMENT, stderr=subprocess.PIPE, timeout=2500)
            got = read_results(target)
            results += [entry for entry in got if not (isinstance(entry, str) and entry == "start")]
            if got and isinstance(got[-1], str) and got[-1] == "start":
                results.append(f"{CRASHED} with status {worker.returncode}")
            else:
                assert worker.returncode == 0 or got, worker.stderr.decode()
    return results


RUN = {"onnxruntime": run_onnxruntime, "onnx-reference": run_onnx_reference, "openvino": run_openvino}


def main(source: str, first: str, target: str) -> None:
    import openvino as ov

    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1})
    with open(target, "ab") as file:
        for data, inputs in pickle.loads(Path(source).read_bytes())[int(first):]:
            pickle.dump("start", file)
            file.flush()
            try:
                request = core.compile_model(core.read_model(data), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
                request.infer(inputs)
                result = np.array(request.get_output_tensor(0).data)
            except Exception as error:
                result = str(error) or type(error).__name__
            pickle.dump(result, file)
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
