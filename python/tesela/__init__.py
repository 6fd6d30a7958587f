# SPDX-License-Identifier: Apache-2.0
"""Tesela: ONNX's tensor operators Resize, Upsample, Tile and ConstantOfShape, with exact results.

    import tesela
    small = tesela.resize(photo, sizes=(256, 256), axes=(0, 1), mode="linear", antialias=True)
"""

from __future__ import annotations

import sys

from . import _core, presets
from ._compare import Comparison, compare
from ._conformance import Conformance, conformance, export_conformance
from ._core import (
    ArgumentError,
    AttributeValueError,
    CancelledError,
    CountError,
    ElementTypeError,
    Error,
    InternalError,
    InvalidValueError,
    IoError,
    LimitError,
    NoMemoryError,
    ParseError,
    PathError,
    RankError,
    ShapeError,
    TruncatedError,
    UnsupportedError,
    UsageError,
    trim_memory,
)
from ._doctor import Diagnosis, doctor
from ._explain import Explanation
from ._identify import Identification, identify
from ._model import Change, Finding, Fix, Left, LintReport, Model, Report, Risk, TensorType, check, explain, fix, infer_shapes, lint, load
from ._operators import PlanCache, constant_of_shape, plan_cache, resize, tile
from ._passes import Pass
from ._plan import AxisTable, Plan, plan
from ._pyramid import Pyramid, pyramid
from ._streaming import stream

if "xarray" in sys.modules:
    from . import xarray as _registered  # noqa: F401  # its accessor `.tesela`

__version__ = _core.version()

__all__ = [
    "ArgumentError", "AttributeValueError", "AxisTable", "CancelledError", "Change", "Comparison", "Conformance", "CountError",
    "Diagnosis", "ElementTypeError", "Error", "Explanation", "Finding", "Fix", "Identification", "InternalError",
    "InvalidValueError", "IoError", "Left", "LimitError", "LintReport", "Model", "NoMemoryError", "ParseError", "Pass", "PathError",
    "Plan", "PlanCache", "Pyramid", "RankError", "Report", "Risk", "ShapeError", "TensorType", "TruncatedError", "UnsupportedError",
    "UsageError", "__version__", "check", "compare", "conformance", "constant_of_shape", "doctor", "explain",
    "export_conformance", "fix", "identify", "infer_shapes", "lint", "load", "plan", "plan_cache", "presets", "pyramid", "resize",
    "stream", "tile", "trim_memory",
]
