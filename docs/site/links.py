# SPDX-License-Identifier: Apache-2.0
"""Where files of the repository are on the site, and how links between them are written there. Uses only Python's library, so that
tests and the site share it."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Documents beside docs/ that are pages too, and sources that are shown as generated pages.
PROJECT = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "RELEASING.md": "project/releasing.md",
    "SECURITY.md": "project/security.md",
    "THIRD-PARTY-LICENSES.md": "project/licenses.md",
    "packaging/README.md": "project/packaging.md",
}
GENERATED = {
    "include/tesela/tesela.h": "reference/c.md",
    "include/tesela/tesela.hpp": "reference/cpp.md",
    "include/tesela/images.hpp": "reference/cpp.md",
    "python/tesela/__init__.py": "reference/python.md",
    "apps/cli/main.cc": "reference/command-line.md",
    "docs/schemas": "reference/schemas.md",
}
PLACES = {**PROJECT, **GENERATED, "README.md": "README.md", "docs": "README.md"}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^()\s]+)\)")
EXTERNAL = re.compile(r"[a-z]+:")


def slug(heading: str, separator: str = "-") -> str:
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"`|\*\*|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", separator)


def outside_code(text: str, change) -> str:
    """The text, with change() applied to what is not in fenced blocks."""
    parts = re.split(r"(^ *```.*?^ *```[^\n]*$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def anchors(text: str) -> set[str]:
    """Those of a document's headings; repeated headings get numbers."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?)(?: +#+)?$", outside_code_only(text), re.MULTILINE):
        name, number = slug(heading), 0
        while (each := f"{name}-{number}" if number else name) in found:
            number += 1
        found.add(each)
    return found


def outside_code_only(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)


def targets(text: str) -> list[str]:
    """What a document links to."""
    plain = re.sub(r"`[^`\n]*`", "``", outside_code_only(text))
    return [target for pattern in (LINK, IMAGE) for _, target in pattern.findall(plain)]


def documents() -> dict[str, str]:
    """The repository's documents that are pages: their path there and on the site."""
    pages = {f"docs/{path.relative_to(ROOT / 'docs').as_posix()}": path.relative_to(ROOT / "docs").as_posix()
             for path in sorted((ROOT / "docs").rglob("*.md"))}
    return pages | PROJECT


def place(path: str) -> str | None:
    """Where a file or folder of the repository is on the site; None for folders that are not there."""
    if path in PLACES:
        return PLACES[path]
    if path.startswith("docs/") and not (ROOT / path).is_dir():
        return path.removeprefix("docs/")
    return None if (ROOT / path).is_dir() else f"source/{path}.txt"


def title(path: str, there: str) -> str:
    """A document's name in the navigation, or else its first heading."""
    named = re.search(rf"^ *- ([^:\n]+): {re.escape(there)}$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    found = named or re.search(r"^# +(.+)", (ROOT / path).read_text(), re.MULTILINE)
    assert found is not None, path
    return found[1]


def for_site(text: str, path: str, copied: set[str]) -> str:
    """The document at this path of the repository, with links as the site has them. Sources that it links to are added to copied."""
    here = posixpath.dirname(documents()[path])

    def link(match: re.Match) -> str:
        target, _, anchor = match[2].partition("#")
        if EXTERNAL.match(match[2]) or not target:
            return match[0]
        there = place(found := posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
        if there is None:
            return match[1]
        if there.startswith("source/"):
            copied.add(found)
        # The site shows no file names: the page's title is what its readers see elsewhere.
        text = title(found, there) if match[1].endswith(".md") else match[1]
        return f"[{text}]({posixpath.relpath(there, here or '.')}{'#' + anchor if anchor else ''})"

    return outside_code(text, lambda part: spaced_lists(LINK.sub(link, part)))


def spaced_lists(text: str) -> str:
    """GitHub begins a list right below a paragraph; Python-Markdown wants an empty line between."""
    item = r"(?:[-*]|\d+\.) "
    return re.sub(rf"^((?!\s|{item}|\|).+\n)(?={item})", r"\1\n", text, flags=re.MULTILINE)
