# SPDX-License-Identifier: Apache-2.0
"""A call of an operator, and the vector that it makes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from vectors import REFERENCE, attribute_in_file, call, equal, library, tensor_of


@dataclass
class Call:
    """inputs: arrays, None for an omitted one. refused: the kind of error that it must give."""

    op: str
    version: int
    inputs: list
    attributes: dict = field(default_factory=dict)
    domain: str = ""
    refused: str = ""

    def vector(self) -> dict:
        record: dict = {"op": self.op, "version": self.version}
        if self.domain:
            record["domain"] = self.domain
        if self.attributes:
            record["attributes"] = {name: attribute_in_file(name, value) for name, value in self.attributes.items()}
        record["inputs"] = [None if array is None else tensor_of(array) for array in self.inputs]
        try:
            output = call(self.op, self.version, self.inputs, self.domain, REFERENCE, **self.attributes)
        except library.TeselaError as error:
            assert error.kind == self.refused, f"{record}: {error}"
            return record | {"refused": error.kind}
        assert not self.refused, f"{record} is not refused"
        record["output"] = tensor_of(output)
        if self._computes() and has_nan(output) and not equal(output, self.inputs[0], any_nan=False):
            record["nan"] = True
        return record

    def _computes(self) -> bool:
        if self.op in ("Tile", "ConstantOfShape"):
            return False
        return self.attributes.get("mode", "nearest") != "nearest" or "extrapolation_value" in self.attributes


def has_nan(array: np.ndarray) -> bool:
    if array.dtype == object or array.dtype.kind in "iub":
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.isnan(array.astype(np.complex128)).any())


def resize(version: int, x: np.ndarray, scales=None, sizes=None, roi=None, refused: str = "", **attributes) -> Call:
    """A call of Resize. scales, sizes: lists. roi: a list (of float32), or an array."""
    scales = None if scales is None else np.array(scales, dtype=np.float32)
    sizes = None if sizes is None else np.array(sizes, dtype=np.int64)
    roi = np.array(roi, dtype=np.float32) if isinstance(roi, list) else roi
    inputs = [x, roi, scales, sizes]
    if version == 10:
        inputs = [x, scales]
    elif version == 11:  # requires roi and scales
        inputs = [x, *(np.zeros(0, np.float32) if entry is None else entry for entry in (roi, scales)), sizes]
    while inputs[-1] is None:
        inputs.pop()
    return Call("Resize", version, inputs, attributes, refused=refused)


def upsample(version: int, x: np.ndarray, scales: list, refused: str = "", **attributes) -> Call:
    factors = np.array(scales, dtype=np.float32)
    if version == 1:
        attributes |= {"height_scale": float(factors[2]), "width_scale": float(factors[3])}
        return Call("Upsample", 1, [x], attributes, refused=refused)
    if version == 7:
        return Call("Upsample", 7, [x], attributes | {"scales": factors}, refused=refused)
    return Call("Upsample", 9, [x, factors], attributes, refused=refused)
