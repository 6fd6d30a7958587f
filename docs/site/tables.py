# SPDX-License-Identifier: Apache-2.0
"""Tables of the site on narrow windows: long names may break after an underscore, and rows become blocks of lines, each with the
heading of its column (`theme/assets/tesela.css`). Tables of many rows of numbers stay tables and scroll."""

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
    return re.sub(r">[^<]+<", lambda text: re.sub(r"(?<=\w)_(?=\w)", "_<wbr>", text[0]), markup)


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


def for_windows(page: str) -> str:
    return TABLE.sub(lambda table: with_breaks(stacked(table[0])), page)
