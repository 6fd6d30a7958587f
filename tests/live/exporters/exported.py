# SPDX-License-Identifier: Apache-2.0
"""Exported models as files: NAME.onnx or NAME.xml, and NAME.json with the exporter and the inputs.

Needs only NumPy, because each family of exporters has a separate environment."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "exporters"
RECORDED = pathlib.Path(__file__).parent / "recorded"
SMALL_INTEGER = 7  # the bound of integer inputs: classes, tokens


@dataclass
class Export:
    """name: of the files. family: the library that the model comes from. write: writes the model to a path, with
    the suffix .onnx or .xml added, and returns the exporter's name, the opset (0 for an IR) and an array for each input by
    name, or two for models with dynamic shapes. recorded: small, and in the repository."""

    name: str
    family: str
    write: Callable[[pathlib.Path], tuple[str, int, list[Mapping[str, np.ndarray]]]]
    recorded: bool = False


@dataclass(frozen=True)
class Exported:
    """A model that was written."""

    path: pathlib.Path
    about: dict

    @property
    def name(self) -> str:
        return self.path.stem

    def feeds(self) -> list[dict[str, np.ndarray]]:
        return [{name: random_array(shape, dtype, k) for k, (name, (dtype, shape)) in enumerate(inputs.items())}
                for inputs in self.about["inputs"]]


def random_array(shape, dtype: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.random(tuple(shape), np.float32).astype(dtype)
    return rng.integers(1, SMALL_INTEGER, tuple(shape)).astype(dtype)


def models_in(folder: pathlib.Path) -> list[Exported]:
    return [Exported(path, json.loads(path.with_suffix(".json").read_text()))
            for path in sorted([*folder.glob("*.onnx"), *folder.glob("*.xml")])]


def save(export: Export, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / export.name
    exporter, opset, feeds = export.write(path)
    inputs = [{name: [str(x.dtype), list(x.shape)] for name, x in feed.items()} for feed in feeds]
    about = {"family": export.family, "exporter": exporter, "opset": opset, "inputs": inputs}
    path.with_suffix(".json").write_text(json.dumps(about) + "\n")


def main(exports: list[Export], description: str | None) -> None:
    """The command line of a family: writes missing models."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--recorded", action="store_true", help="the small ones, into the repository")
    parser.add_argument("--only", default="", help="models with this in their name")
    arguments = parser.parse_args()
    folder, failed = RECORDED if arguments.recorded else BUILT, []
    for export in exports:
        there = (folder / export.name).with_suffix(".json").exists()
        if export.recorded == arguments.recorded and arguments.only in export.name and not there:
            try:
                save(export, folder)
            except Exception:  # each exporter has its own names
                traceback.print_exc()
                failed.append(export.name)
    if failed:
        sys.exit(f"not exported: {', '.join(failed)}")
