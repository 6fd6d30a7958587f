# SPDX-License-Identifier: Apache-2.0
"""Ways to install the package."""

import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import venv

import pytest
import tesela
import tesela.onnxruntime
from tesela import _files

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


def headers_found_by(folder, path, *definitions):
    """What cmake/OnnxruntimeHeaders.cmake sets for a source folder, with programs of `path`."""
    (folder / "driver.cmake").write_text("include(${CMAKE_CURRENT_LIST_DIR}/cmake/OnnxruntimeHeaders.cmake)\n"
                                         'message("found: ${TESELA_ONNXRUNTIME_HEADERS}")\n')
    done = subprocess.run([shutil.which("cmake"), *definitions, "-P", folder / "driver.cmake"], capture_output=True, text=True, cwd=folder,
                          env={"PATH": str(path)})
    assert done.returncode == 0, done
    return re.search("found: (.*)", done.stderr)[1], done.stderr


@pytest.fixture
def sources(tmp_path):
    shutil.copytree(ROOT / "cmake", tmp_path / "cmake")
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    return tmp_path


def test_headers_of_a_source_distribution_are_used(sources):
    kept = sources / "build" / "onnxruntime-headers"
    kept.mkdir(parents=True)
    (kept / "onnxruntime_c_api.h").touch()
    assert headers_found_by(sources, "/usr/bin:/bin")[0] == str(kept)
    assert headers_found_by(sources, "/usr/bin:/bin", "-DTESELA_ONNXRUNTIME_HEADERS=OFF")[0] == "OFF"


def test_without_headers_the_plugin_is_left_out_and_said_so(sources):
    """No program of apt can be found."""
    programs = sources / "programs"
    programs.mkdir()
    for name in ("bash", "env", "dirname", "realpath", "mktemp", "rm", "mkdir", "sed", "cat", "grep", "sha256sum"):
        (programs / name).symlink_to(shutil.which(name))
    found, said = headers_found_by(sources, programs)
    assert found == "" and "built without the plugin for ONNX Runtime" in said


def test_a_copy_without_the_plugin_names_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(_files, "beside_core", lambda name: tmp_path / name)
    with pytest.raises(tesela.UnsupportedError) as error:
        tesela.onnxruntime.get_library_path()
    message = str(error.value)
    assert "scripts/setup_onnxruntime_headers.sh build/onnxruntime-headers" in message and len(message) <= 300


def test_the_page_of_the_package_has_no_relative_links():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / project["readme"]).read_text()
    links = re.findall(r"\]\((.*?)\)", page)
    assert links and all(link.startswith("https://") for link in links)
    assert all((ROOT / name).is_file() for name in project["license-files"])
