# SPDX-License-Identifier: Apache-2.0
"""Images of any size at several resolutions, as lazy levels, OME-Zarr and TIFF."""

from __future__ import annotations

from .axes import Axis
from .levels import Level
from .pyramid import Pyramid, pyramid

__all__ = ["Axis", "Level", "Pyramid", "pyramid"]
