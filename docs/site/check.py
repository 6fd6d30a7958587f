# SPDX-License-Identifier: Apache-2.0
"""Checks a built site: `.venv-docs/bin/python docs/site/check.py build/site`. Every link inside it leads to a file and a place that
exist, and nothing is fetched from elsewhere. Links to elsewhere are listed in external-links.txt beside the site, not tried."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself when it shows a page.
FETCHED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.places: set[str] = set()
        self.links: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        self.links += [(tag, name, given[name]) for name in ("href", "src") if name in given and given.get("rel") != "canonical"]


def check(site: Path) -> tuple[list[str], dict[str, set[str]]]:
    """What is wrong, and the addresses elsewhere with the pages that name them."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html")) if "interactive" not in path.relative_to(site).parts}
    wrong: list[str] = []
    elsewhere: dict[str, set[str]] = {}
    for path, page in pages.items():
        shown = path.relative_to(site).as_posix()
        for tag, name, target in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if (tag, name) in FETCHED and parts.scheme != "data":
                    wrong.append(f"{shown}: fetches {target}")
                elsewhere.setdefault(target, set()).add(shown)
                continue
            # 404.html is shown for any address, so its links are absolute.
            start = site if parts.path.startswith("/") else path.parent
            there = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            there = there / "index.html" if there.is_dir() else there
            if not there.is_file():
                wrong.append(f"{shown}: {target} does not exist")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].places:
                wrong.append(f"{shown}: {target} has no such place")
    return wrong, elsewhere


def main(site: Path) -> int:
    wrong, elsewhere = check(site.resolve())
    listed = site.parent / "external-links.txt"
    listed.write_text("".join(f"{target}\t{', '.join(sorted(pages))}\n" for target, pages in sorted(elsewhere.items())))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(list(site.rglob('*.html')))} pages, {len(wrong)} wrong links, {len(elsewhere)} addresses elsewhere ({listed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
