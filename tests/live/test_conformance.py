# SPDX-License-Identifier: Apache-2.0
"""Conformance asks PyTorch for the calls that nodes stand for."""

import tesela


def test_pytorch_has_tiles_and_no_crops():
    result = tesela.conformance("torch", features=["tile-order", "fill-run-time", "crop-linear"], cases=5)
    counts = {group.feature.name: group.counts for group in result.groups}
    assert counts["tile-order"]["passed"] == counts["fill-run-time"]["passed"] == counts["crop-linear"]["refused"] == 5, str(result)
    assert result.backend == "pytorch" and result.version and not result
