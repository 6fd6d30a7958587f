#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the interactive page from its file in headless Chromium, uses it, and prints what it saw as JSON.

Run by the Python with playwright. Arguments: the page, a folder for pictures."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

READY = "document.documentElement.dataset.computed !== undefined && document.getElementById('caption-x').textContent !== ''"
PIXELS = """id => { const c = document.getElementById(id); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  return {width: c.width, height: c.height, rgb: Array.from(d).filter((_, i) => i % 4 < 3)}; }"""
NAMELESS = """() => [...document.querySelectorAll('input, select, button, [role=region], canvas, summary')].filter((e) =>
  !(e.labels && e.labels.length && e.labels[0].textContent.trim()) && !e.getAttribute('aria-label') &&
  !(e.getAttribute('aria-labelledby') && document.getElementById(e.getAttribute('aria-labelledby'))) &&
  !(['BUTTON', 'SUMMARY'].includes(e.tagName) && e.textContent.trim())).map((e) => e.outerHTML.slice(0, 120))"""

COLOURS = """() => { const s = getComputedStyle(document.documentElement);
  return Object.fromEntries(['ground', 'panel', 'ink', 'quiet', 'accent', 'warm', 'problem'].map(
    (name) => [name, s.getPropertyValue('--' + name).trim()])); }"""


class Visit:
    """A browser window on the page, and what went wrong in it."""

    def __init__(self, browser, address: str, width: int, scheme: str):
        self.address = address
        self.seen: list[str] = []
        self.page: Page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page.on("pageerror", lambda error: self.seen.append(f"error: {error}"))
        self.page.on("console", lambda message: self.seen.append(f"console: {message.text}") if message.type == "error" else None)
        self.page.on("request", lambda request: self.seen.append(request.url) if not request.url.startswith(("file:", "data:", "blob:"))
                     else None)

    def open(self, link: str = "") -> float:
        self.page.goto("about:blank")
        began = time.perf_counter()
        self.page.goto(self.address + (f"#{link}" if link else ""))
        self.page.wait_for_function(READY)
        return time.perf_counter() - began

    def settle(self) -> None:
        """Waits until what is shown is what the address says."""
        self.page.wait_for_function("document.documentElement.dataset.computed === location.hash.slice(1)")

    def text(self, id: str) -> str:
        return self.page.inner_text(f"#{id}")


def use_keys(visit: Visit) -> dict:
    """The whole page by keys alone: which controls Tab reaches, and what keys change."""
    page = visit.page
    visit.open()
    reached = []
    for _ in range(80):
        page.keyboard.press("Tab")
        found = page.evaluate("document.activeElement === document.body ? null : document.activeElement.id || document.activeElement.tagName")
        if found is None:
            break
        reached.append(found)
    page.focus("#output")
    before = visit.text("sentence")
    page.keyboard.press("ArrowRight")
    after = visit.text("sentence")
    page.focus("#a-mode")
    page.keyboard.press("ArrowUp")  # from cubic to linear
    visit.settle()
    page.focus("#a-antialias")
    page.keyboard.press("Space")
    visit.settle()
    page.focus("input[name=shown][value=a]")
    page.keyboard.press("ArrowRight")
    visit.settle()
    return {"reached": reached, "before": before, "after": after, "hash": page.evaluate("location.hash"), "side": visit.text("text-side")}


def use_picture(visit: Visit, picture: Path) -> dict:
    """A picture of one's own, and its results."""
    page = visit.page
    visit.open("a.mode=nearest&b.like=pillow-11:bicubic&height=14&width=9")
    page.set_input_files("#file", str(picture))
    page.wait_for_function("document.getElementById('caption-x').textContent.startsWith('own.png')")
    result = {"caption": visit.text("caption-x"), **{part: page.evaluate(PIXELS, f"canvas-{part}") for part in "xab"},
              "difference": visit.text("caption-d")}
    page.set_input_files("#file", {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    page.wait_for_selector("#picture-problem:not([hidden])")
    return result | {"refused": visit.text("picture-problem")}


def use_links(visit: Visit) -> dict:
    page = visit.page
    visit.open("a.mode=linear&b.like=rules:onnxruntime&height=31&axis=height")
    restored = {"mode": page.input_value("#a-mode"), "like": page.input_value("#b-like"), "height": page.input_value("#height"),
                "axis": page.input_value("#axis"), "onnx": visit.text("onnx"), "python": visit.text("python")}
    page.evaluate("location.hash = 'a.mode=linear&height=17'")
    visit.settle()
    page.wait_for_function("document.getElementById('height').value === '17'")
    visit.open("a.mode=<img src=x onerror=alert(1)>&height=7")
    wrong = {"problem": visit.text("problem"), "height": page.input_value("#height"), "images": page.locator("img").count()}
    page.fill("#height", "99999")
    page.focus("#width")
    visit.open("a.mode=cubic&b.like=rules:openvino&shown=b")
    unexplained = visit.text("axis-problem")
    visit.open("dtype=float&a.mode=cubic&b.like=rules:onnxruntime")
    runtime = visit.text("caption-d")
    visit.open("by=scales&scale_h=900&scale_w=900")
    return {"restored": restored, "wrong": wrong, "kept": page.input_value("#scale_h"), "unexplained": unexplained, "runtime": runtime,
            "large": visit.text("caption-a")}


def main() -> None:
    address, folder = Path(sys.argv[1]).resolve().as_uri(), Path(sys.argv[2])
    result = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        wide = Visit(browser, address, 1280, "light")
        result["seconds"] = [wide.open() for _ in range(3)]
        result["nameless"] = wide.page.evaluate(NAMELESS)
        wide.page.screenshot(path=folder / "wide-light.png", full_page=True)
        result["keys"] = use_keys(wide)
        result["picture"] = use_picture(wide, folder / "own.png")
        result["links"] = use_links(wide)
        wide.open()
        wide.page.click("#bits")
        wide.page.wait_for_function("document.getElementById('bits-text').textContent.includes('native')", timeout=240_000)
        result["digests"] = wide.text("bits-text")
        result["windows"] = {}
        for name, width, scheme in (("wide-dark", 1280, "dark"), ("narrow-light", 360, "light"), ("narrow-dark", 360, "dark")):
            other = Visit(browser, address, width, scheme)
            other.open()
            result["windows"][name] = {
                "scroll": other.page.evaluate("document.documentElement.scrollWidth"),
                "colours": other.page.evaluate(COLOURS),
            }
            other.page.screenshot(path=folder / f"{name}.png", full_page=True)
            wide.seen += other.seen
        result["seen"] = wide.seen
        browser.close()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
