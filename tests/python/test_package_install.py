"""Ways to install the package."""

import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_an_editable_install_has_the_command_and_the_plugin(tmp_path):
    """An editable install: sources stay in place, compiled files are elsewhere. Nothing is compiled again."""
    venv.create(tmp_path, with_pip=False)
    site = next(tmp_path.glob("lib/python3*/site-packages"))
    (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    python = tmp_path / "bin" / "python"
    settings = ["build-dir=build/python", f"cmake.define.TESELA_BUILT={ROOT / 'build'}"]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-input",
                    "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--editable", ROOT,
                    *(f"--config-settings={setting}" for setting in settings)], check=True)

    def said_by(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout.strip()

    version = (ROOT / "VERSION").read_text().strip()
    assert said_by(tmp_path / "bin" / "tesela", "--version") == f"tesela {version}"
    assert said_by(python, "-m", "tesela", "--version") == f"tesela {version}"
    assert said_by(python, "-c", "import tesela; print(tesela.__file__)") == str(ROOT / "python/tesela/__init__.py")
    plugin = said_by(python, "-c", "import tesela.onnxruntime as t; print(t.get_library_path())")
    assert pathlib.Path(plugin).parent == site / "tesela"
