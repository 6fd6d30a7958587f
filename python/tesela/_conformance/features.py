# SPDX-License-Identifier: Apache-2.0
"""Every feature of the suite, in the order of reports."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

from .. import _core, _parameters
from . import bad, coordinates, edges, elements, filters, moves, rounding
from .case import Feature

_AREAS = ("Resize", "Upsample", "Tile", "ConstantOfShape")
_ALL = (*coordinates.FEATURES, *rounding.FEATURES, *filters.FEATURES, *elements.FEATURES, *edges.FEATURES, *moves.FEATURES, *bad.FEATURES)

FEATURES: tuple[Feature, ...] = tuple(sorted(_ALL, key=lambda feature: _AREAS.index(feature.area)))

Chosen = list[tuple[Feature, int | None]]


def chosen(words: Sequence[str] | None) -> Chosen:
    """(feature, number of one case or None for all) for names, patterns such as "crop-*", and cases such as "crop-axes/7".
    Errors: InvalidValueError."""
    if words is None:
        return [(feature, None) for feature in FEATURES]
    found: Chosen = []
    for word in words:
        name, slash, number = word.partition("/")
        if slash and not number.isdecimal():
            _parameters.refuse("conformance", "feature", word, "NAME, a pattern, or NAME/NUMBER", _core.InvalidValueError)
        matching = [feature for feature in FEATURES if fnmatch.fnmatchcase(feature.name, name)]
        if not matching:
            near = _core.nearest_name(name, [feature.name for feature in FEATURES])
            hint = f"did you mean '{near}'?" if near else "--list shows them"
            raise _core.InvalidValueError(f"conformance: feature {_parameters.shown(name)} is unknown; {hint}")
        found += [entry for feature in matching if (entry := (feature, int(number) if slash else None)) not in found]
    order = {feature.name: place for place, feature in enumerate(FEATURES)}
    return sorted(found, key=lambda entry: order[entry[0].name])
