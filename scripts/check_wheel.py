# SPDX-License-Identifier: Apache-2.0
"""Checks wheels: contents, licences, and what their libraries link. Argument: the folder of the wheels.

A wheel must have the module, the library, the program, the plugin for ONNX Runtime and the licence of each library that it
bundles, and must be made for manylinux.
"""

from __future__ import annotations

import pathlib
import sys
import zipfile

NEEDED = ("tesela/__init__.py", "tesela/py.typed", "tesela/tesela-cli", "tesela/libtesela_onnxruntime.so")
# What a bundled library is called in THIRD-PARTY-LICENSES.
LICENCES = {"libtbb": "oneTBB", "libfmt": "{fmt}", "libpugixml": "pugixml", "libpng16": "libpng", "libjpeg": "libjpeg-turbo",
            "libz": "zlib"}


def faults(wheel: pathlib.Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        third = [name for name in names if name.endswith("licenses/THIRD-PARTY-LICENSES")]
        text = archive.read(third[0]).decode() if third else ""
    found = [f"{name} is missing" for name in NEEDED if name not in names]
    for pattern in ("tesela/libtesela.so.", "tesela/_core."):
        if not any(name.startswith(pattern) for name in names):
            found.append(f"{pattern}* is missing")
    if not any(name.endswith("licenses/LICENSE") for name in names):
        found.append("LICENSE is missing")
    for name in names:
        if name.startswith("tesela.libs/") and not name.endswith("/"):
            library = pathlib.PurePath(name).name.partition("-")[0].partition(".")[0]
            if f"\n{LICENCES.get(library, library)} (" not in text:
                found.append(f"{name} has no section in THIRD-PARTY-LICENSES")
    if "manylinux" not in wheel.name:
        found.append("it is not made for manylinux")
    return found


def main(folder: str) -> None:
    wheels = sorted(pathlib.Path(folder).glob("tesela-*.whl"))
    if not wheels:
        sys.exit(f"check_wheel: {folder} has no wheels")
    failed = False
    for wheel in wheels:
        for fault in faults(wheel):
            failed = True
            print(f"{wheel.name}: {fault}", file=sys.stderr)
    if failed:
        sys.exit(1)
    print(f"check_wheel: {len(wheels)} wheels are complete")


if __name__ == "__main__":
    main(sys.argv[1])
