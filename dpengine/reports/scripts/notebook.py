"""The script of a plan as a Jupyter notebook: the same code in cells, a few words between them, nothing run yet."""

from __future__ import annotations

import json
from datetime import date

from dpengine.reports.scripts import script_text
from dpengine.reports.scripts.script import accepted_source, imports, recipe_source
from dpengine.reports.scripts.source import source_of
from dpengine.reports.who import software
from dpengine.scenario import Scenario

_TITLE = """\
# A plan for private answers, rebuilt twice

With `dpengine`, and with nothing but `opendp`. The notebook reads no row and releases nothing: it prints how large the
noise of every answer would be, and stops with an error where the two do not agree.

Run it in the folder of Epsilon Explorer, or with that folder on `PYTHONPATH`. Written by {software} on {day}."""
_PLAN = "## The plan\n\nWhat is declared about the table, what is asked, and what it may cost."
_RECIPE = (
    "## What each noise needs to be drawn without dpengine\n\nNumbers alone: this is all that the second half uses."
)
_FIRST = "## The first half: dpengine"
_SECOND = "## The second half: opendp alone"
_CHECK = f"## Side by side\n\n{script_text.GAUSSIAN_NOTE}"
_LEAST = "## The list turned around"
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def plan_notebook(plan: Scenario, day: date) -> str:
    """The notebook as JSON (nbformat 4.5); what people typed stands in its code alone, as quoted literals."""
    cells = (
        ("markdown", _TITLE.format(software=software(), day=day.isoformat())),
        ("code", imports(plan, alone=False)),
        ("markdown", _PLAN),
        ("code", f"PLAN = {source_of(plan)}"),
        ("markdown", _RECIPE),
        ("code", f"{script_text.RECIPE}\n\n\n{recipe_source(plan)}"),
        ("markdown", _FIRST),
        ("code", script_text.BY_DPENGINE),
        ("markdown", _SECOND),
        ("code", script_text.by_opendp()),
        ("markdown", _CHECK),
        ("code", f"{script_text.CHECK}\n\n\ncompare_all()"),
        ("markdown", f"{_LEAST}\n\n{script_text.ACCEPT}"),
        ("code", f"{accepted_source(plan)}\n\n\n{script_text.LEAST}\n\n\ntell_least_budget()"),
    )
    notebook = {
        "cells": [_cell(place, kind, text) for place, (kind, text) in enumerate(cells)],
        "metadata": {"kernelspec": _KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1) + "\n"


def _cell(place: int, kind: str, text: str) -> dict[str, object]:
    cell: dict[str, object] = {"cell_type": kind, "id": f"part-{place}", "metadata": {}}
    run: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return cell | run | {"source": text.splitlines(keepends=True)}
