# SPDX-License-Identifier: Apache-2.0
"""Uses an installed package as README does: arrays, the command line, ONNX Runtime. Argument: the repository, for its examples.

Runs in any Python that the package supports, with nothing but the package, what it depends on, and ONNX Runtime. It fails if a
library comes from outside that neither the wheels have nor every Linux system has.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

import numpy as np
import onnxruntime
import tesela
import tesela.onnxruntime
from tesela._verbs import _tensors

# Of PEP 600, and what Python itself links.
SYSTEM = re.compile(
    r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libutil|libgcc_s|libstdc\+\+|libz|libexpat|libpython3.*|libffi|libcrypto|libssl|"
    r"libbz2|liblzma|libuuid|libnss_.*|libresolv)\.so.*")


def command() -> str:
    """The program that pip installed."""
    for folder in (sysconfig.get_path("scripts"), "/usr/local/bin", *os.environ["PATH"].split(os.pathsep)):
        if pathlib.Path(folder, "tesela").is_file():
            return str(pathlib.Path(folder, "tesela"))
    sys.exit("exercise: pip installed no command tesela")


def run(*words: object) -> str:
    return subprocess.run([command(), *map(str, words)], check=True, capture_output=True, text=True).stdout


def use_arrays() -> None:
    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert tesela.tile(x, (2, 1)).tolist() == np.tile(x, (2, 1)).tolist()
    assert tesela.resize(x, sizes=(6, 8)).tolist() == x.repeat(2, 0).repeat(2, 1).tolist()
    assert tesela.resize(np.array([0, 4], np.float32), sizes=(4,), mode="linear").tolist() == [0, 1, 3, 4]
    assert tesela.constant_of_shape((2,), np.int8(7)).tolist() == [7, 7]


def use_the_command_and_onnxruntime(examples: pathlib.Path, folder: pathlib.Path) -> None:
    """The same sheet from both, in every bit."""
    model, photo, sheet = examples / "contact_sheet.onnx", examples / "grace_hopper.jpg", folder / "sheet.png"
    assert run("--version") == f"tesela {tesela.__version__}\n"
    run("run", model, "-i", f"photo={photo}", "-o", f"sheet={sheet}")
    session = tesela.onnxruntime.make_session(str(model))
    (found,) = session.run(None, {"photo": _tensors.read(str(photo))})
    np.testing.assert_array_equal(found, _tensors.read(str(sheet)))
    run("resize", photo, folder / "small.png", "--sizes", "240,320", "--mode", "cubic", "--antialias", "1")
    assert _tensors.read(str(folder / "small.png")).shape == (240, 320, 3)
    run("check", model)


def examine() -> None:
    found = tesela.doctor()
    print(found)
    assert found, found.problems
    run("doctor", "--json")


def check_libraries() -> None:
    """The libraries that this process has loaded, and those of the command."""
    inside = str(pathlib.Path(tesela.__file__).resolve().parents[1])
    loaded = {line.split(maxsplit=5)[5].strip() for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
    program = pathlib.Path(tesela.__file__).with_name("tesela-cli")
    if shutil.which("ldd"):
        listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        assert "not found" not in listed, listed
        loaded |= set(re.findall(r"=> (/\S+)", listed))
    python = (sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"))
    foreign = {path for path in loaded if not str(pathlib.Path(path).resolve()).startswith(inside)
               and not path.startswith(tuple(f"{folder}/lib/python" for folder in python[:2]) + python[2:])
               and not SYSTEM.fullmatch(pathlib.Path(path).name)}
    assert not foreign, f"libraries that neither wheels nor every Linux system has: {sorted(foreign)}"
    assert any("libtbb" in path and path.startswith(inside) for path in loaded), "the wheel's own oneTBB was not loaded"


def main(repository: str) -> None:
    use_arrays()
    with tempfile.TemporaryDirectory() as folder:
        use_the_command_and_onnxruntime(pathlib.Path(repository) / "examples", pathlib.Path(folder))
    examine()
    check_libraries()
    print(f"exercise: tesela {tesela.__version__} works with Python {sys.version.split()[0]} and ONNX Runtime {onnxruntime.__version__}")


if __name__ == "__main__":
    main(sys.argv[1])
