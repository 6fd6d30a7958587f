# SPDX-License-Identifier: Apache-2.0
"""Photographs every page of a built site on a wide and a narrow window, and tries the search:
`.venv-docs/bin/python docs/site/screenshots.py build/site build/screenshots [--dark] [PAGE...]`. Needs Debian's chromium
(`scripts/setup_packages.sh docs`). Reports pages that are wider than the window."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

WIDTHS = {"wide": (1280, 900), "narrow": (390, 844)}
TALLEST = 6_000  # pixels; longer pages are cut


def overflow(page: Page) -> int:
    """Pixels that the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def photograph(page: Page, site: Path, name: str, to: Path) -> list[str]:
    """What is wrong with a page: errors of its scripts, files that it did not get, and that it is too wide."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(f"{request.url} failed"))
    page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or faults.append(f"asks for {request.url}"))
    page.goto((site / name).resolve().as_uri())
    page.wait_for_timeout(150)
    if (wider := overflow(page)) > 0:
        faults.append(f"is {wider} pixels wider than the window")
    height = page.evaluate("document.documentElement.scrollHeight")
    across = page.viewport_size["width"]
    page.screenshot(path=to, full_page=True, animations="disabled", clip={"x": 0, "y": 0, "width": across, "height": min(height, TALLEST)})
    return faults


def search(page: Page, site: Path, words: str) -> int:
    """The number of results, from a file."""
    page.goto((site / "index.html").resolve().as_uri())
    button = page.locator("label.md-header__button[for=__search]")
    if button.is_visible():  # only on a narrow window
        button.click()
    entry = page.locator("input[name=query]")
    entry.focus()
    entry.press_sequentially(words)  # the theme listens to keys
    page.locator(".md-search-result__item").first.wait_for(timeout=20_000)
    return page.locator(".md-search-result__item").count()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = given.pages or [path.relative_to(given.site).as_posix() for path in sorted(given.site.rglob("*.html"))
                            if path.name != "404.html"]  # a server shows it, with links from its root
    wrong = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for width, (across, down) in WIDTHS.items():
            context = browser.new_context(viewport={"width": across, "height": down}, color_scheme="dark" if given.dark else "light")
            for name in names:
                page = context.new_page()
                to = given.out / f"{name.removesuffix('.html').replace('/', '-')}-{width}.png"
                for fault in photograph(page, given.site, name, to):
                    wrong += 1
                    print(f"{name}, {width}: {fault}")
                page.close()
            found = search(context.new_page(), given.site, "antialias")
            print(f"{width}: {len(names)} pages; searching for antialias finds {found} pages")
            wrong += found == 0
            context.close()
        browser.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
