# SPDX-License-Identifier: Apache-2.0
"""Writes at least 300 small valid files of each format, the same ones every time.

    valid_files.py FOLDER [--formats png,jpg] [--every N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import array_files
import ir_files
import onnx_files
import picture_files

LARGEST = 4096  # bytes
FEWEST = 300

# An IR is a pair of files, whose contents are a pair, too.
FORMATS = {
    "onnx": onnx_files.onnx_files,
    "xml": ir_files.ir_files,
    "npy": array_files.npy_files,
    "npz": array_files.npz_files,
    "pb": array_files.pb_files,
    "png": picture_files.png_files,
    "jpg": picture_files.jpeg_files,
}


def distinct(format_: str) -> dict[str, bytes | tuple[bytes, bytes]]:
    """All files of a format. No two have the same content."""
    by_content = {content: name for name, content in reversed(FORMATS[format_]().items())}
    files = {name: content for content, name in reversed(by_content.items())}
    assert len(files) >= FEWEST, f"{len(files)} files of format {format_}; expected {FEWEST}"
    for name, content in files.items():
        size = sum(map(len, content)) if isinstance(content, tuple) else len(content)
        assert size <= LARGEST, f"{name}.{format_} has {size} bytes; expected at most {LARGEST}"
    return files


def write(folder: Path, format_: str, every: int = 1) -> list[Path]:
    """The paths of the files to sweep. every: one file in this many."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in onnx_files.EXTERNAL_DATA.items():
        (folder / name).write_bytes(content)
    paths = []
    for name, content in list(distinct(format_).items())[every // 2::every]:
        halves = {f".{format_}": content} if isinstance(content, bytes) else {".xml": content[0], ".bin": content[1]}
        for extension, half in halves.items():
            paths.append(folder / (name + extension))
            paths[-1].write_bytes(half)
    return paths


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    for format_ in given.formats.split(","):
        print(f"{len(write(given.folder / format_, format_, given.every))} files of format {format_}")
