# SPDX-License-Identifier: Apache-2.0
"""cubed arrays, which stay lazy, within cubed's limit of memory."""

from __future__ import annotations

from typing import Any

from .base import refuse
from .lazy import Lazy


class Arrays(Lazy):
    engine = "cubed"

    def run(self, plan: Any, x: Any, chunks: Any) -> Any:
        from .._lazy import cubed

        return cubed.run(plan, x, chunks)

    def check(self, x: Any) -> None:
        import cubed

        if not isinstance(x, cubed.Array):
            refuse(x, "is not an array", "pass a cubed.Array")
        if x.dtype.kind not in "biufc":
            refuse(x, f"holds {x.dtype}", "cubed arrays can hold bool, integers, floats and complex numbers")


LIBRARY = Arrays()
