"""Documents that people keep, from the templates in this folder: no script, nothing fetched, every value escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dpengine.charts import PALETTES
from dpengine.reports.labels.label import NOT_PROMISED
from dpengine.reports.quoting import as_html, one_line

FOLDER = Path(__file__).parent


def document(template: str, **values: object) -> str:
    """The HTML of a template with these values; raises jinja2.UndefinedError for one that is missing."""
    return environment().get_template(template).render(values)


@cache
def environment(folder: Path = FOLDER) -> Environment:
    """The templates of a folder; whatever they write is escaped, unless our own code has made HTML of it."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters |= {"as_html": as_html, "one_line": one_line}
    made.globals |= {"ink": PALETTES["light"], "not_promised": NOT_PROMISED}
    return made


def picture(svg: str) -> Markup:
    """A drawing as it is written into a document: its numbers are ours, and its words were escaped as it was drawn."""
    return Markup(svg)  # noqa: S704  # only what a module of pictures drew
