# SPDX-License-Identifier: Apache-2.0
"""The interface of the modules for array libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .. import _core, presets


class Call(NamedTuple):
    """A call of an operator. plan_for: (operator, dtype, shape, parameters) -> plan. chunks: those of a lazy result."""

    operator: str
    parameters: dict[str, Any]
    out: Any
    threads: int
    plan_for: Callable[[str, np.dtype, tuple[int, ...], dict[str, Any]], Any]
    chunks: Any = None

    @property
    def interpolates(self) -> bool:
        """Whether results are interpolated, not copied."""
        mode, like = self.parameters.get("mode"), self.parameters.get("like")
        if mode is None and like is not None:
            mode = presets.attributes(like).get("mode")
        return isinstance(mode, str) and mode != "nearest"


class Library:
    """Arrays that can be read as one block of elements."""

    def claims(self, cls: type) -> bool:
        """Whether a class from the library's package is handled here."""
        return True

    def read(self, x: Any) -> np.ndarray:
        """The elements as a plain NumPy array, without a copy if possible."""
        raise NotImplementedError

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        """The shape and dtype, which may be known even if the elements are not, and the call's parameters for this array."""
        array = self.read(x)
        return array.shape, array.dtype, call.parameters

    def refuse_unless_plain(self, x: Any, what: str) -> None:
        """Raises an error if x is more than a block of elements. `what` names the call, which would lose the rest."""

    def promoted(self, x: Any, rank: int, what: str) -> Any:
        """x with leading axes of one element, up to this rank, as an array that has NumPy's `view`. `what`: as above."""
        self.refuse_unless_plain(x, what)
        array = self.read(x)
        return array.reshape((1,) * (rank - array.ndim) + array.shape)

    def room(self, x: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        """Memory for a result with the layout of x, or None if any memory can be used. Not called for strings."""
        return None

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        """The result as an array of x's library, class and device."""
        return result

    def open(self, out: Any) -> np.ndarray:
        """The memory of an output array."""
        return self.read(out)

    def written(self, out: Any) -> None:
        """Notifies the library that the elements of its array change."""

    def compute(self, x: Any, call: Call) -> tuple[Any, Any]:
        """(result, plan) of a call on x."""
        if call.chunks is not None:
            refuse(x, "has no chunks", "leave out 'chunks', or pass an array of dask or cubed", _core.UsageError)
        array = self.read(x)
        plan = call.plan_for(call.operator, array.dtype, array.shape, call.parameters)
        if call.out is not None:
            return plan.run(array, call.out, call.threads), plan
        room = None if plan.dtype.hasobject else self.room(x, plan.output_shape, plan.output_dtype)
        return self.give_back(x, plan.run(array, room, call.threads)), plan


class Wrapper(Library):
    """An array with labels or a mask. The operator runs on the array inside."""

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        """The array inside, and the call's parameters for it."""
        raise NotImplementedError

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        """The result for the array inside, with the labels or mask of x."""
        raise NotImplementedError

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        from . import find

        array, parameters = self.inside(x, call)
        return find(array).describe(array, call._replace(parameters=parameters))

    def refuse_unless_plain(self, x: Any, what: str) -> None:
        refuse(x, f"has labels or a mask, which {what} would drop", "pass the array inside", _core.UnsupportedError)

    def compute(self, x: Any, call: Call) -> tuple[Any, Any]:
        from . import find

        array, parameters = self.inside(x, call)
        result, plan = find(array).compute(array, call._replace(parameters=parameters))
        return (result if call.out is not None else self.wrap(x, result, plan, call)), plan


def refuse(x: Any, why: str, cure: str, error: type[Exception] = _core.ElementTypeError) -> NoReturn:
    """Raises an error that names the class of x."""
    raise error(f"a {type(x).__module__.partition('.')[0]}.{type(x).__name__[:60]} {why}; {cure}"[:300])
