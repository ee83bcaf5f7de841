"""The frame of the pages that people keep: no script, nothing fetched, one head, one foot, the same tables."""

from __future__ import annotations

import html
from collections.abc import Iterable
from datetime import date

from dpengine.reports.labels.label import NOT_PROMISED
from dpengine.reports.quoting import as_html, one_line_as_html

NUMBER = ' class="number"'
"""The look of a cell that holds one."""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main{look}>
{parts}
</main>
</body>
</html>
"""


def whole(title: str, *, style: str, parts: Iterable[str], look: str = "") -> str:
    """The page of these parts, which are HTML already; the title is plain text."""
    return _PAGE.format(
        title=html.escape(title), style=style, look=look, parts="\n".join(part for part in parts if part)
    )


def header(brand: str, table_name: str, day: date) -> str:
    """What kind of page it is, about which table, of which day."""
    about = f"about the table <code>{one_line_as_html(table_name)}</code>, {day.isoformat()}"
    return f'<header><div class="brand">{brand}</div><div class="about">{about}</div></header>'


def column_heads(names: Iterable[tuple[str, str]]) -> str:
    """The head of a table: each column's name with its look."""
    return "<thead><tr>" + "".join(f'<th scope="col"{look}>{name}</th>' for name, look in names) + "</tr></thead>"


def promise(facts: Iterable[tuple[str, str]]) -> str:
    """What is promised, each fact with its name; the names are HTML already."""
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td><div class="clamped">{as_html(text)}</div></td></tr>'
        for name, text in facts
    )
    return f'<section><h2>The promise</h2><table class="facts"><tbody>{rows}</tbody></table></section>'


def foot(items: Iterable[tuple[str, str]], *, before: str = "") -> str:
    """What is not promised, then `before`, which is HTML, and what the page can be told by."""
    rows = "".join(f"<div><dt>{name}</dt><dd>{html.escape(text)}</dd></div>" for name, text in items)
    return f'<footer><p class="not">{NOT_PROMISED}</p>{before}<dl>{rows}</dl></footer>'
