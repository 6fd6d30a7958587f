# SPDX-License-Identifier: Apache-2.0
"""Makes the repository's documents a site: MkDocs calls these functions (mkdocs.yml)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
import layout
import links

REFERENCE = links.ROOT / "build" / "reference"  # written by reference.py
INTERACTIVE = links.ROOT / "build" / "page"  # written by `make page`
sources: set[str] = set()


def on_config(config):
    config.mdx_configs["toc"] = {**config.mdx_configs.get("toc", {}), "slugify": links.slug}
    return config


def on_files(files, config):
    """Adds the documents beside docs/, the generated reference, the interactive page and the sources that are linked to."""
    sources.clear()
    for path, place in links.PROJECT.items():
        files.append(File.generated(config, place, content=(links.ROOT / path).read_text()))
    for path in sorted(REFERENCE.glob("*.md")):
        files.append(File.generated(config, f"reference/{path.name}", content=path.read_text()))
    for path in sorted(INTERACTIVE.rglob("*")):
        if path.is_file():
            name = path.relative_to(INTERACTIVE).as_posix()
            files.append(File.generated(config, f"interactive/{name}", content=path.read_bytes()))
    for path in links.documents():
        links.for_site((links.ROOT / path).read_text(), path, sources)
    for path in sorted(sources):
        files.append(File.generated(config, f"source/{path}.txt", content=(links.ROOT / path).read_bytes()))
    return files


PATHS = {place: path for path, place in links.documents().items()}


def on_page_markdown(markdown, page, config, files):
    place = page.file.src_uri
    if place == "interactive.md":
        markdown = re.sub("<!-- open -->.*?<!-- /open -->", opening(), markdown, flags=re.DOTALL)
    return links.for_site(markdown, PATHS[place], sources) if place in PATHS else markdown


def on_post_page(output, page, config):
    return layout.for_windows(output)


def opening() -> str:
    if (INTERACTIVE / "index.html").exists():
        return "[Open the interactive page](interactive/index.html){ .md-button .md-button--primary }"
    return "This copy of the site was made without it: run `make page`, then `make docs`."
