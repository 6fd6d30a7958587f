# SPDX-License-Identifier: Apache-2.0
"""Where lines of the site's pages break: never in an option; in tables also within names; and on narrow windows rows of tables
become blocks of lines, each with the heading of its column (`theme/assets/tesela.css`). Tables of many rows of numbers stay tables
and scroll."""

from __future__ import annotations

import html
import re

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CELL = re.compile(r"<td([^>]*)>(.*?)</td>", re.DOTALL)
FEWEST_COLUMNS = 3  # two columns fit
FEW_ROWS = 2  # nothing is compared down a column
WORDS = 10  # the mean number of characters of a cell from which a table is one of words


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup)).strip()


def with_breaks(markup: str) -> str:
    """The markup, with breaks within names and paths, not within numbers."""
    return re.sub(r">[^<]+<", lambda text: re.sub(r"(?<=\w)[_/+](?=\w)|(?<=[a-z])\.(?=[a-z])", r"\g<0><wbr>", text[0]), markup)


def stacked(table: str) -> str:
    """The table, with the heading of its column in each cell."""
    headings = [text_of(cell) for cell in re.findall(r"<th[^>]*>(.*?)</th>", table, re.DOTALL)]
    cells = [text_of(cell) for _, cell in CELL.findall(table)]
    if len(headings) < FEWEST_COLUMNS:
        return table
    rows = len(cells) // len(headings)
    if rows > FEW_ROWS and sum(map(len, cells)) < WORDS * len(cells):
        return table
    columns = iter(headings * rows)
    labelled = CELL.sub(lambda cell: f'<td{cell[1]} data-column="{html.escape(next(columns))}">{cell[2]}</td>', table)
    return labelled.replace("<table>", "<table data-stacked>", 1)


def with_whole_options(page: str) -> str:
    """The page, without breaks after the hyphens of `--option` outside of blocks of code."""
    head, body, rest = page.partition("<article")
    parts = re.split(r"(<pre.*?</pre>|<[^>]*>)", rest, flags=re.DOTALL)
    parts[::2] = (re.sub(r"(?<![\w-])--[a-z][\w-]*", r"<span class=option>\g<0></span>", text) for text in parts[::2])
    return head + body + "".join(parts)


def for_windows(page: str) -> str:
    return with_whole_options(TABLE.sub(lambda table: with_breaks(stacked(table[0])), page))
