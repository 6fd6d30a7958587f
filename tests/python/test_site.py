# SPDX-License-Identifier: Apache-2.0
"""The site's pages are all in its navigation, links between documents lead somewhere, and what is made from the program, headers and
docstrings is complete and current. `make docs` builds the site itself."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

import pytest
import tesela
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import check
import layout
import links
import made
import reference

DOCUMENTS = {**links.documents(), "README.md": "", "python/README.md": ""}
CONFIGURATION = yaml.safe_load((ROOT / "mkdocs.yml").read_text())


def pages_of(navigation) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    entries = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for entry in entries for page in pages_of(entry)]


def test_every_page_is_in_the_navigation_once():
    assert sorted(pages_of(CONFIGURATION["nav"])) == sorted({*links.documents().values(), *links.GENERATED.values()})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    text = (ROOT / document).read_text()
    for target in links.targets(text):
        path, _, anchor = target.partition("#")
        if links.EXTERNAL.match(target):
            continue
        there = posixpath.normpath(posixpath.join(posixpath.dirname(document), path)) if path else document
        assert (ROOT / there).exists(), f"{document}: {target}"
        assert not there.startswith(".."), f"{document}: {target}"
        if anchor and there.endswith(".md"):
            assert anchor in links.anchors((ROOT / there).read_text()), f"{document}: {target}"


def test_anchors_are_those_of_github():
    assert links.slug("Resize: output size") == "resize-output-size"
    assert links.slug("`tesela fix`, and 2 more_or_less") == "tesela-fix-and-2-more_or_less"
    assert links.anchors("# A\n## A\n```\n# no heading\n```\n## B, c\n") == {"a", "a-1", "b-c"}


def test_links_of_the_site():
    copied: set[str] = set()
    text = "[a](../SECURITY.md#x) [b](python.md) [c](../tests/cases.txt) [d](../tests) [e](https://e.org) ![f](images/f.svg)\n"
    assert links.for_site(text, "docs/run.md", copied) == (
        "[a](project/security.md#x) [b](python.md) [c](source/tests/cases.txt.txt) d [e](https://e.org) ![f](images/f.svg)\n")
    assert copied == {"tests/cases.txt"}
    assert links.for_site("[a](docs/fix.md) [b](include/tesela/tesela.h)", "CONTRIBUTING.md", copied) == "[a](../fix.md) [b](../reference/c.md)"
    assert links.for_site("[scale.md](scale.md) [README.md](specification/README.md#a)", "docs/run.md", copied) == (
        "[dask and Cubed, what they cost](scale.md) [Specification](specification/README.md#a)")
    code = "```\n[a](../SECURITY.md)\ntext\n- item\n```\n"
    assert links.for_site(code, "docs/run.md", copied) == code


def test_lists_below_paragraphs_get_an_empty_line():
    assert links.spaced_lists("text\n- a\n- b\n  more\n- c\n") == "text\n\n- a\n- b\n  more\n- c\n"
    assert links.spaced_lists("<!-- x -->\n1. a\n") == "<!-- x -->\n\n1. a\n"


def table_of(*rows: list[str]) -> str:
    head, *body = ("".join(f"<{name}>{cell}</{name}>" for cell in row) for name, row in zip(["th", *["td"] * len(rows)], rows))
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>{''.join(f'<tr>{row}</tr>' for row in body)}</tbody>\n</table>"


def test_tables_of_words_name_their_columns():
    words = table_of(["row", "a & b", "cure"], ["<code>one_name</code>", "some words of text", "<a href='x_y'>a.b/c 1.5</a> other words"])
    assert layout.for_windows(words.replace("&", "&amp;")) == (
        "<table data-stacked>\n<thead><tr><th>row</th><th>a &amp; b</th><th>cure</th></tr></thead>\n<tbody><tr>"
        '<td data-column="row"><code>one_<wbr>name</code></td><td data-column="a &amp; b">some words of text</td>'
        "<td data-column=\"cure\"><a href='x_y'>a.<wbr>b/<wbr>c 1.5</a> other words</td></tr></tbody>\n</table>")
    numbers = [["one", "1.25", "7"]] * 3
    assert "data-stacked" in layout.for_windows(table_of(["row", "a", "b"], *numbers[:2]))
    for other in (table_of(["row", "a", "b"], *numbers), table_of(["row", "a"], ["one name", "some long text of words"])):
        assert layout.for_windows(f"<p>x_y</p>{other}") == f"<p>x_y</p>{other}"


def test_options_stay_whole():
    page = "<title>a --b</title><article><p title='--x'>a --from-file b--c <code>--d</code></p><pre><code>--e</code></pre>"
    whole = page.replace("--from-file", "<span class=option>--from-file</span>").replace(">--d<", "><span class=option>--d</span><")
    assert layout.for_windows(page) == whole


def test_tables_and_figures_are_current():
    files = made.files()
    assert len(files) > len(made.FIGURES) + 5
    for path, text in files.items():
        assert path.read_text() == text, f"{path.relative_to(ROOT)} is not what docs/site/made.py writes"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return reference.pages()


def test_the_reference_has_every_name(pages):
    assert {f"reference/{name}" for name in pages} == set(links.GENERATED.values())
    header = re.sub(r"/\*.*?\*/", "", (ROOT / "include/tesela/tesela.h").read_text(), flags=re.DOTALL)
    functions = re.findall(r"TESELA_API [^;(]*?\b(tesela_\w+)\(", header)
    assert len(functions) > 80 and [name for name in functions if f"{name}(" not in pages["c.md"]] == []
    headers = "".join((ROOT / "include/tesela" / name).read_text() for name in ("tesela.hpp", "images.hpp"))
    wrapper = re.findall(r"^(?:class|struct) (\w+)[^;]*?\{", headers, re.MULTILINE)
    assert {"Op", "Plan", "Model", "Session", "View", "File", "ImageInfo"} <= set(wrapper)
    # The wrapper has every function of the C interface.
    assert [name for name in functions if not name.endswith("_count") and not re.search(rf"\b{name}\b", headers)] == []
    hidden = {"LimitsPointer", "FileOptionsPointer", "InfoList", "ViewList", "RunCall"}
    assert [name for name in wrapper if f"### `{name}`" not in pages["cpp.md"] and name not in hidden] == []
    assert all("SPDX" not in page for page in pages.values())
    assert "## Conventions\n\n- Every function" in pages["c.md"] and "## Conventions\n\n- Every function" in pages["cpp.md"]
    assert "- `names`: runtimes" in pages["python.md"]
    assert "private" not in pages["cpp.md"] and "TESELA_API" not in pages["c.md"]
    assert [name for name in tesela.__all__ if not name.startswith("__") and f"tesela.{name}" not in pages["python.md"]] == []
    assert "object at 0x" not in pages["python.md"]
    for verb in re.findall(r"^\| \[(.*?)\]", (ROOT / "docs/command-line.md").read_text(), re.MULTILINE):
        for name in re.findall(r"`(\w+)`", verb):
            assert f"## `tesela {name}`" in pages["command-line.md"]


def test_code_of_the_reference_is_balanced(pages):
    for name, text in pages.items():
        assert text.count("```") % 2 == 0, name
        for block in re.findall(r"```(?:c|cpp)\n(.*?)```", text, re.DOTALL):
            plain = re.sub(r'"[^"]*"|\'.\'|/\*.*?\*/|//[^\n]*', "", block, flags=re.DOTALL)
            assert plain.count("{") == plain.count("}") and plain.count("(") == plain.count(")"), (name, block)


def test_the_check_of_a_site_finds_wrong_links(tmp_path):
    site = tmp_path / "site"
    (site / "a").mkdir(parents=True)
    (site / "index.html").write_text('<a href="a/b.html#here">b</a> <a href="a/b.html#there">b</a> <a href="https://e.org/">e</a>')
    (site / "a" / "b.html").write_text('<p id="here"><a href="../index.html">up</a> <a href="c.html">c</a> <img src="https://e.org/i.png">')
    wrong, elsewhere = check.check(site.resolve())
    assert wrong == ["a/b.html: c.html does not exist", "a/b.html: fetches https://e.org/i.png", "index.html: a/b.html#there has no such place"]
    assert elsewhere == {"https://e.org/": {"index.html"}, "https://e.org/i.png": {"a/b.html"}}
    assert check.main(site) == 1 and (tmp_path / "external-links.txt").read_text().startswith("https://e.org/\tindex.html\n")


def test_readme_is_one_screen():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 45
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None and len(code[1].strip().splitlines()) == 3
