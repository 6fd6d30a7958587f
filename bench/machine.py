# SPDX-License-Identifier: Apache-2.0
"""Metadata of a measurement: machine, versions, date."""

from __future__ import annotations

import datetime
import importlib.metadata
import pathlib
import shutil
import subprocess

PACKAGES = ("onnxruntime", "openvino", "torch", "opencv-python-headless", "numpy", "pillow", "pyvips-binary")


def description() -> str:
    """Processor, number of threads, last-level cache, memory."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    facts = {}
    for line in lines:
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    count = sum(line.startswith("processor") for line in lines)
    pages = pathlib.Path("/proc/meminfo").read_text().split()
    name = f"{facts.get('model name')}, family {facts.get('cpu family')} model {facts.get('model')}"
    return f"{name}, {count} processors, {last_cache()} of shared cache, {int(pages[1]) >> 20} GiB"


def last_cache() -> str:
    found = sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"))
    return found[-1].read_text().strip() if found else "an unknown amount"


def versions() -> dict[str, str]:
    """Of the peers that are installed. A peer that is not takes no part."""
    found = {entry.name: entry.version for entry in importlib.metadata.distributions()}
    known = {name: found[name] for name in PACKAGES if name in found}
    if shutil.which("pkg-config"):
        zimg = subprocess.run(["pkg-config", "--modversion", "zimg"], capture_output=True, text=True, check=False)
        known["zimg"] = zimg.stdout.strip()
    return known


def today() -> str:
    return datetime.date.today().isoformat()
