# SPDX-License-Identifier: Apache-2.0
"""A report as one page without scripts and other files."""

from __future__ import annotations

import html

from .. import _core
from .._compare.html import STYLE, linked
from .judge import VERDICTS
from .report import Conformance, Group, details

_BARS = """
.bar { display: flex; width: 12rem; margin-top: .3rem; height: .8rem; border-radius: .2rem; overflow: hidden; background: var(--line); }
.bar span { display: block; height: 100%; }
.passed { background: #2da44e; } .failed { background: #cf222e; } .refused { background: #bf8700; }
.crashed { background: #8250df; } .timeout { background: #6639ba; } .unreadable { background: #6e7781; }
.unsupported { background: #afb8c1; }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .3rem; vertical-align: -.1rem; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number.zero { opacity: .4; }
tr.area th { background: var(--line); }
td small { display: block; min-width: 9rem; opacity: .75; }
p.keys .entry { display: inline-block; margin-right: 1rem; }
@media (max-width: 40rem) { .bar { width: 3.5rem; } td, th { padding: .2rem .35rem; } }
"""


def page(found: Conformance) -> str:
    counts = found.counts
    total = sum(counts.values())
    shown = [verdict for verdict in VERDICTS if counts[verdict] or verdict == "passed"]
    heads = "".join(f"<th>{verdict}</th>" for verdict in shown)
    sections = "".join(_section(group) for group in found.groups if not group.passed)
    keys = "".join(f'<span class="entry"><span class="key {verdict}"></span>{verdict} {counts[verdict]}</span>' for verdict in shown)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>conformance of {_text(found.title)}</title><style>{STYLE}{_BARS}</style></head><body>
<h1>Conformance of {_text(found.title)}</h1>
<p>{counts['passed']} of {total} cases of {len(found.groups)} features passed. Seed {found.seed}, {found.cases} cases of each feature; expected
outputs are those of Tesela {_text(_core.version())}.</p>
<p class="keys">{keys}</p>
<div class="wide"><table><tr><th>feature</th><th>cases</th>{heads}</tr>{_rows(found, shown)}</table></div>
{sections}</body></html>
"""


def _rows(found: Conformance, shown: list[str]) -> str:
    rows, area = [], ""
    for group in found.groups:
        if group.feature.area != area:
            area = group.feature.area
            rows.append(f'<tr class="area"><th colspan="{len(shown) + 2}">{_text(area)}</th></tr>')
        name = _text(group.feature.name)
        link = name if group.passed else f'<a href="#{name}">{name}</a>'
        counts = [group.counts[verdict] for verdict in shown]
        cells = "".join(f'<td class="number{"" if count else " zero"}">{count}</td>' for count in counts)
        rows.append(f"<tr><td>{link}<small>{_text(group.feature.rule)}</small></td><td>{_bar(group)}</td>{cells}</tr>")
    return "".join(rows)


def _bar(group: Group) -> str:
    parts = "".join(f'<span class="{verdict}" style="width: {100 * count / group.total:.1f}%"></span>'
                    for verdict, count in group.counts.items() if count)
    return f'<div class="bar" role="img" aria-label="{_text(group.brief())}">{parts}</div>'


def _section(group: Group) -> str:
    name = _text(group.feature.name)
    return (f'<section id="{name}"><h2>{name}: {_text(group.brief())}</h2><p>{_text(group.feature.rule)}</p>'
            f"<pre>{linked(details(group))}</pre></section>")


def _text(text: str) -> str:
    return html.escape(text)
