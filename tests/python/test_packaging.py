"""Recipes of packages, the bill of materials, versions, licences and pinned inputs."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
sys.path.insert(0, str(ROOT / "scripts"))
import hashed_requirements
import sbom

CONDA = yaml.safe_load((ROOT / "packaging/conda-forge/recipe.yaml").read_text())
VCPKG = json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text())


def script(name: str, *words) -> subprocess.CompletedProcess:
    return subprocess.run([ROOT / "scripts" / name, *words], capture_output=True, text=True)


def test_every_file_states_the_version_of_the_project():
    done = script("check_version.sh")
    assert done.returncode == 0, done.stderr


# The names that the build looks for, and those of the channels' packages.
NAMES = {
    "TBB": ("tbb-devel", "tbb", "onetbb", "libtbb-dev"),
    "fmt": ("fmt", "fmt", "fmt", "libfmt-dev"),
    "pugixml": ("pugixml", "pugixml", "pugixml", "libpugixml-dev"),
    "PNG": ("libpng", "libpng", "libpng", "libpng-dev"),
    "JPEG": ("libjpeg-turbo", "libjpeg-turbo", "libjpeg-turbo", "libjpeg-dev"),
    "ZLIB": ("zlib", "zlib", "zlib", "zlib1g-dev"),
    "CLI11": ("cli11", "cli11", None, "libcli11-dev"),
    "nlohmann_json": ("nlohmann_json", "nlohmann-json", None, "nlohmann-json3-dev"),
    "libhwy": ("libhwy", "highway", "highway", "libhwy-dev"),
    "protozero": ("protozero", "protozero", "protozero", "libprotozero-dev"),
}


def least_versions() -> dict[str, str]:
    """By the name that cmake/Dependencies.cmake looks for."""
    text = (ROOT / "cmake/Dependencies.cmake").read_text()
    found = dict(re.findall(r"tesela_find\(\S+ (\S+) ([0-9.]+)", text))
    found |= dict(re.findall(r"IMPORTED_TARGET (\w+)>=([0-9.]+)\)", text))
    found["protozero"] = re.search(r"set\(tesela_protozero_least ([0-9.]+)\)", text).group(1)
    found.pop("GTest")
    return found


def test_recipes_have_every_dependency_and_its_least_version():
    least = least_versions()
    assert set(least) == set(NAMES)
    conda = dict((word.split(" ") + [""])[:2] for word in CONDA["requirements"]["host"])
    vcpkg = {each if isinstance(each, str) else each["name"] for each in [*VCPKG["dependencies"], *VCPKG["features"]["tools"]["dependencies"]]}
    conan = (ROOT / "packaging/conan/conanfile.py").read_text()
    debian = (ROOT / "packaging/debian/control").read_text()
    setup = (ROOT / "scripts/setup_packages.sh").read_text()
    for package, version in least.items():
        in_conda, in_vcpkg, in_conan, in_debian = NAMES[package]
        number = "" if package == "JPEG" else version  # the version of its interface
        assert conda[in_conda] in (f">={number}", "" if not number else None), package
        assert in_vcpkg in vcpkg, package
        assert in_conan is None or re.search(rf'"{in_conan}/\[>={re.escape(number)}', conan), package
        assert re.search(rf"^ {in_debian}( \(>= {re.escape(number)}\))?,$", debian, re.MULTILINE), package
        assert in_debian.removesuffix("-dev").replace("libjpeg", "libjpeg62-turbo") in setup, package


def test_recipes_are_well_formed():
    assert CONDA["context"]["version"] == VERSION and CONDA["about"]["license"] == "Apache-2.0"
    for path in (ROOT / "packaging/conan").rglob("*.py"):
        ast.parse(path.read_text(), str(path))
    assert VERSION in yaml.safe_load((ROOT / "packaging/conan/conandata.yml").read_text())["sources"]
    port = (ROOT / "packaging/vcpkg/portfile.cmake").read_text()
    assert port.count("(") == port.count(")")
    options = re.findall(r"\b(?:option|set)\((TESELA_\w+)", (ROOT / "CMakeLists.txt").read_text())
    for recipe in (ROOT / "packaging").rglob("*"):
        if recipe.is_file():
            assert set(re.findall(r"TESELA_BUILD_\w+", recipe.read_text())) <= set(options), recipe


def test_files_that_recipes_and_installs_name_exist():
    for name in (*CONDA["about"]["license_file"], *(ROOT / "packaging/debian/tesela.docs").read_text().split()):
        assert (ROOT / name).stat().st_size > 0, name


def test_citation():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == VERSION and citation["license"] == "Apache-2.0"
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


def test_bill_of_materials_is_that_of_the_build():
    bill = sbom.bill(ROOT / "build")
    assert bill["metadata"]["component"]["version"] == VERSION
    assert all(re.match(r"\d+\.\d+", each["version"]) for each in bill["components"])
    assert bill == sbom.bill(ROOT / "build")
    rows = re.findall(r"^\| (\S+) \| (.+) \| (shared|headers) \|$", (ROOT / "THIRD-PARTY-LICENSES.md").read_text(), re.MULTILINE)
    assert rows == [(each["name"], each["licenses"][0]["expression"], each["properties"][0]["value"]) for each in bill["components"]]


def test_every_pin_has_a_hash(tmp_path):
    hashes = ROOT / "requirements-hashes.txt"
    files = [file for file in ROOT.glob("requirements*.txt") if file != hashes]
    assert len(files) > 5
    for file in files:
        lines = hashed_requirements.hashed(file, hashes).splitlines()
        assert all(re.fullmatch(r"\S+==\S+ --hash=sha256:[0-9a-f]{64}", line) for line in lines if "==" in line.split("#")[0]), file
    wrong = tmp_path / "requirements-test.txt"
    wrong.write_text("# a comment\nNumPy==9.9.9\n")
    with pytest.raises(SystemExit, match="requirements-test.txt pins NumPy==9.9.9 without a hash"):
        hashed_requirements.hashed(wrong, hashes)


def test_licence_lines_are_added_and_found(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/spdx.sh").write_bytes((ROOT / "scripts/spdx.sh").read_bytes())
    (tmp_path / "a.cc").write_text("int a;\n")
    (tmp_path / "b.py").write_text("#!/usr/bin/env python3\nprint(1)\n")
    (tmp_path / "c.c").write_text("/* SPDX-License-Identifier: Apache-2.0 */\nint c;\n")
    (tmp_path / "b.py").chmod(0o755)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    run = ["bash", tmp_path / "scripts/spdx.sh"]
    checked = subprocess.run([*run, "--check"], capture_output=True, text=True)
    assert checked.returncode == 1 and "a.cc" in checked.stdout and "b.py" in checked.stdout and "c.c" not in checked.stdout
    subprocess.run(run, check=True)
    assert subprocess.run([*run, "--check"]).returncode == 0
    assert (tmp_path / "a.cc").read_text() == "// SPDX-License-Identifier: Apache-2.0\nint a;\n"
    assert (tmp_path / "b.py").read_text() == "#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\nprint(1)\n"
    assert (tmp_path / "b.py").stat().st_mode & 0o111


def test_every_source_states_its_licence():
    done = script("spdx.sh", "--check")
    assert done.returncode == 0, done.stdout


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_few_rights_and_call_targets_that_exist(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name, job in workflow["jobs"].items():
        assert job.get("timeout-minutes") or name == "publish"
        assert set(job.get("permissions", {})) <= {"id-token"}
        for step in job["steps"]:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "a/b@" + "0" * 40)), step  # a tag can be moved
        runs = " ".join(step.get("run", "") for step in job["steps"])
        assert set(re.findall(r"(?:^|[ ;&])make ([a-z]+)", runs)) <= targets
        assert set(job.get("strategy", {}).get("matrix", {}).get("target", [])) <= targets
        for used in re.findall(r"(?:scripts|tests)/[\w/]+\.(?:sh|py)", runs):
            assert (ROOT / used).exists(), used
