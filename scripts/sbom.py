#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the bill of materials of a build as CycloneDX JSON: the libraries that Tesela is made from, in the versions that this build
folder was configured with, and whether the shared library loads them. The output depends on the build alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Library:
    name: str
    license: str  # of what Tesela uses, as an SPDX expression
    purl: str
    loaded: str  # the start of the loaded file's name; empty: headers only, compiled into Tesela
    version: str  # a module of pkg-config, or FILE:MACRO for a header that defines its version


# THIRD-PARTY-LICENSES.md has the same rows, which a test compares.
LIBRARIES = [
    Library("oneTBB", "Apache-2.0", "pkg:github/oneapi-src/oneTBB", "libtbb.so", "tbb"),
    Library("fmt", "MIT", "pkg:github/fmtlib/fmt", "libfmt.so", "fmt"),
    Library("pugixml", "MIT", "pkg:github/zeux/pugixml", "libpugixml.so", "pugixml"),
    Library("libpng", "libpng-2.0", "pkg:github/pnggroup/libpng", "libpng16.so", "libpng"),
    Library("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "pkg:github/libjpeg-turbo/libjpeg-turbo", "libjpeg.so", "libjpeg"),
    Library("zlib", "Zlib", "pkg:github/madler/zlib", "libz.so", "zlib"),
    Library("Highway", "Apache-2.0", "pkg:github/google/highway", "", "libhwy"),
    Library("protozero", "BSD-2-Clause AND Apache-2.0", "pkg:github/mapbox/protozero", "",
            "protozero/version.hpp:PROTOZERO_VERSION_STRING"),
    Library("CLI11", "BSD-3-Clause", "pkg:github/CLIUtils/CLI11", "", "CLI/Version.hpp:CLI11_VERSION"),
    Library("nlohmann-json", "MIT", "pkg:github/nlohmann/json", "", "nlohmann_json"),
]


def run(*command) -> str:
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def cached(build: Path, name: str) -> str:
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found.group(1) if found else ""


def version_of(library: Library, build: Path) -> str:
    if ":" not in library.version:
        return run("pkg-config", "--modversion", library.version).strip()
    file, macro = library.version.split(":")
    command = [cached(build, "CMAKE_CXX_COMPILER"), "-std=c++20", "-E", "-dM", "-x", "c++", "-include", file]
    if include := cached(build, "TESELA_PROTOZERO_INCLUDE"):
        command += ["-I", include]
    macros = run(*command, "/dev/null")
    return re.search(rf'^#define {macro} "(.*)"$', macros, re.MULTILINE).group(1)


def component(library: Library, build: Path, needed: set[str]) -> dict:
    if library.loaded and not any(name.startswith(library.loaded) for name in needed):
        raise SystemExit(f"sbom: {build}/libtesela.so does not load {library.loaded}; it loads {', '.join(sorted(needed))}")
    version = version_of(library, build)
    return {
        "type": "library", "bom-ref": library.name, "name": library.name, "version": version,
        "licenses": [{"expression": library.license}], "purl": f"{library.purl}@{version}",
        "properties": [{"name": "tesela:linked", "value": "shared" if library.loaded else "headers"}],
    }


def bill(build: Path) -> dict:
    version = (ROOT / "VERSION").read_text().strip()
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--dynamic", "--wide", build / "libtesela.so")))
    components = [component(library, build, needed) for library in LIBRARIES]
    known = tuple(library.loaded for library in LIBRARIES if library.loaded)
    system = ("libc.", "libm.", "libstdc++.", "libgcc_s.", "ld-linux")
    if unknown := sorted(name for name in needed if not name.startswith((*known, *system))):
        raise SystemExit(f"sbom: {build}/libtesela.so loads {', '.join(unknown)}, which scripts/sbom.py does not list")
    tesela = {"type": "library", "bom-ref": "tesela", "name": "tesela", "version": version,
              "licenses": [{"expression": "Apache-2.0"}]}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([tesela, components], sort_keys=True))
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1,
        "metadata": {"component": tesela}, "components": components,
        "dependencies": [{"ref": "tesela", "dependsOn": [each["bom-ref"] for each in components]}],
    }


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "libtesela.so").exists():
        raise SystemExit("usage: scripts/sbom.py BUILD, a folder with libtesela.so")
    print(json.dumps(bill(Path(sys.argv[1])), indent=2))


if __name__ == "__main__":
    main()
