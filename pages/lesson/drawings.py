"""Drawings made of boxes and tables: real text, which grows with the letters and turns upright on a phone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape

from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import Palette

_CSS = """
<style>
.flow {{ display: flex; flex-wrap: wrap; align-items: stretch; gap: .5rem; }}
.flow > div {{ flex: 1 1 9rem; border: 1px solid {line}; border-radius: 8px; padding: .6rem .8rem; }}
.flow > .arrow {{ flex: 0 0 auto; border: 0; padding: 0; align-self: center; font-size: 1.5rem; color: {muted}; }}
.flow .lit {{ border: 3px solid {accent}; }}
.flow .quiet {{ opacity: .6; }}
.flow p, .rows p {{ margin: 0 0 .25rem; }}
.flow span {{ color: {muted}; }}
.rows {{ display: flex; flex-wrap: wrap; gap: 1rem 2rem; }}
.rows table {{ border-collapse: collapse; font-size: 1rem; }}
.rows th, .rows td {{ border-bottom: 1px solid {line}; padding: .25rem .9rem .25rem .3rem; text-align: left; }}
.rows .marked td {{ border: 2px solid {accent}; font-weight: 700; }}
@media (max-width: 640px) {{ .flow {{ flex-direction: column; }} .flow > div {{ flex: 1 1 auto; }}
  .flow > .arrow {{ transform: rotate(90deg); }} }}
</style>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One box of a flow: a bold name and a line below; a lit one is what this step is about, a quiet one is not."""

    name: str
    line: str
    look: str = ""


def flow(place: DeltaGenerator, boxes: Sequence[Box], palette: Palette) -> None:
    """Boxes from left to right with arrows between them."""
    drawn = [f'<div class="{box.look}"><p><b>{escape(box.name)}</b></p>{escape(box.line)}</div>' for box in boxes]
    arrow = '<div class="arrow" aria-hidden="true">→</div>'
    _draw(place, f'<div class="flow">{arrow.join(drawn)}</div>', palette, accent=palette.with_person)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTable:
    """A few rows of an example, some of them marked by their places, under a heading."""

    heading: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: Collection[int] = ()


def side_by_side(place: DeltaGenerator, tables: Sequence[SmallTable], palette: Palette) -> None:
    """Small tables beside each other, marked rows framed."""
    drawn = "".join(_table(table) for table in tables)
    _draw(place, f'<div class="rows">{drawn}</div>', palette, accent=palette.with_person)


def _table(table: SmallTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    body = "".join(
        f'<tr class="{"marked" if index in table.marked else ""}">'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for index, row in enumerate(table.rows)
    )
    return f"<div><p><b>{escape(table.heading)}</b></p><table><tr>{head}</tr>{body}</table></div>"


def _draw(place: DeltaGenerator, html: str, palette: Palette, *, accent: str) -> None:
    place.html(_CSS.format(line=palette.line, muted=palette.muted, accent=accent) + html)
