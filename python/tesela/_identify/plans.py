# SPDX-License-Identifier: Apache-2.0
"""Plans compared with plans: what is equal for all values, what is simpler, what takes longer."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .._plan import Plan
from . import settings
from .pairs import Difference
from .settings import SIZES, Setting
from .values import Conversion

_FIXED_WORK = 30  # fixed point runs without vector kernels


class Candidate(NamedTuple):
    setting: Setting
    conversion: Conversion


class Group(NamedTuple):
    """Candidates with the same plans for all pairs, which no values can tell apart."""

    candidates: list[Candidate]
    difference: Difference


class Found(NamedTuple):
    """verdict: "equal", "near" or "none"; of "none" the groups are the nearest."""

    verdict: str
    groups: list[Group]
    tolerance: float


def signature(plan: Plan) -> tuple:
    """Equal for plans that compute the same from all values."""
    dtype = plan.output_dtype.name
    if plan.input_shape == plan.output_shape and plan.operator == "tile":
        return (dtype, False, plan.output_shape, ("moves",), ())
    if plan.operator == "tile":
        return ("tile", plan.output_shape)
    told = plan.describe()
    moves = told["compute"] == "none"
    passes = []
    for rule in told["passes"]:
        table = plan.axis(rule["axis"])
        weights = b"" if table.weights is None else table.weights.tobytes()
        passes.append((rule["axis"], table.first.tobytes(), table.count.tobytes(), weights, rule["weight_bits"],
                       rule["fraction_bits"]))
    alpha = plan._conversion is not None and plan._conversion.alpha
    arithmetic = ("moves",) if moves else (told["compute"], told["rounding"])
    return (dtype, alpha, plan.output_shape, arithmetic, tuple(sorted(passes) if moves else passes))


def finish_key(plan: Plan, conversion: Conversion) -> tuple:
    """What a conversion does after a plan, besides what it does before."""
    casts = conversion.after == "cast" and plan.output_dtype != conversion.result
    return conversion.divides, casts if conversion.after in ("", "cast") else conversion.after, conversion.result.name


def complexity(candidate: Candidate) -> tuple[int, ...]:
    """Simple settings first: without fields, conversions or scales, with few attributes, presets after attributes."""
    setting, conversion = candidate
    names = [name for name, _ in setting.parameters]
    fields = sum(name in settings.FIELDS for name in names)
    return (fields, conversion.after not in ("", "cast"), setting.rule != SIZES, "like" in names, len(names),
            conversion.divides, conversion.after != "")


def without_coefficient(candidate: Candidate) -> Any:
    return candidate._replace(setting=candidate.setting.replaced(cubic_coeff_a=None))


def work(plan: Plan) -> float:
    told: dict[str, Any] = plan.describe() if plan.operator == "resize" else {"passes": [], "compute": "none"}
    taps = sum(rule["window"] for rule in told["passes"])
    each = _FIXED_WORK if told["compute"] == "fixed point" else 1
    return math.prod(plan.input_shape) + math.prod(plan.output_shape) * (1 + taps) * each
