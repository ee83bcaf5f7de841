"""A plan as a Python script that rebuilds it twice, with dpengine and with nothing but opendp, and compares both."""

from __future__ import annotations

from dataclasses import MISSING, asdict, fields
from datetime import date

from dpengine.data.files.file_form import FileForm
from dpengine.reports.declared import columns_asked
from dpengine.reports.scripts import script_text
from dpengine.reports.scripts.recipe import Recipe, recipes
from dpengine.reports.scripts.source import imports_of, source_of
from dpengine.reports.who import software
from dpengine.scenario import Scenario

_COMMENTS = {
    "plan": "# The plan: what is declared about the table, what is asked, and what it may cost.",
    "recipe": "# What each noise needs to be drawn without dpengine: numbers alone.",
    "dpengine": "# The first half: dpengine.",
    "opendp": "# The second half: opendp alone.",
    "check": "# Side by side.",
    "least": "# The list turned around: the least budget for the errors that you accept.",
}


def plan_script(plan: Scenario, day: date, *, form: FileForm | None = None) -> str:
    """The script; it reads no row, and stops with an error where a scale or an epsilon is not what the plan says.

    `form` is how the file of the table was read, None where nobody here has read it.
    """
    about = script_text.ABOUT.format(software=software(), day=day.isoformat())
    sections = (
        f'"""{about}\n"""\n\n{imports(plan, alone=True)}',
        f"{_COMMENTS['plan']}\n\nPLAN = {source_of(plan)}",
        f"{_COMMENTS['recipe']}\n\n\n{script_text.RECIPE}\n\n\n{recipe_source(plan)}",
        f"{_COMMENTS['dpengine']}\n\n\n{script_text.BY_DPENGINE}",
        f"{_COMMENTS['opendp']}\n\n{script_text.by_opendp()}",
        f"{_COMMENTS['check']}\n\n\n{script_text.CHECK}",
        f"{_COMMENTS['least']}\n{_commented(script_text.ACCEPT)}\n\n{accepted_source(plan)}\n\n\n{script_text.LEAST}",
        f"{_written(form)}\n{_asked(plan)}",
        f"{script_text.RELEASING}",
        f"{script_text.MAIN}",
    )
    return "\n\n\n".join(sections) + "\n"


def imports(plan: Scenario, *, alone: bool) -> str:
    """What is imported by a script that stands alone, or by a notebook."""
    used = script_text.USED | (script_text.USED_BY_A_SCRIPT if alone else {})
    standard = script_text.FOR_A_SCRIPT if alone else ""
    return script_text.IMPORTS.format(standard=standard, plan_imports=imports_of(plan, used))


def recipe_source(plan: Scenario) -> str:
    """The numbers of every part, one line a part."""
    lines = "".join(f"    {_line(recipe)},\n" for recipe in recipes(plan))
    return f"PARTS = (\n{lines})"


def accepted_source(plan: Scenario) -> str:
    """A line for each question, in which an error can be typed."""
    said = "".join(
        f"    (None, Guess(records=1000)),  # question {number}\n" for number in range(1, len(plan.queries) + 1)
    )
    return f"ACCEPTED = (\n{said})"


def _commented(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())


def _written(form: FileForm | None) -> str:
    """What is said of the file, as arguments of read_table; the name of a sheet is a quoted literal."""
    said = {} if form is None else {name: value for name, value in asdict(form).items() if value is not None}
    entries = "".join(f"    {name!r}: {value!r},\n" for name, value in said.items())
    comment = script_text.WRITTEN_UNKNOWN if form is None else script_text.WRITTEN
    return f"{comment}\nWRITTEN = {{\n{entries}}}" if entries else f"{comment}\nWRITTEN = {{}}"


def _asked(plan: Scenario) -> str:
    """The columns that an answer depends on: those of the questions, and the one that names the person."""
    named = (name for planned in plan.queries for name in columns_asked(planned.query))
    person = (plan.schema.unit.identifier,) if plan.schema.unit.identifier else ()
    columns = tuple(dict.fromkeys((*person, *named)))
    return f"{script_text.ASKED}\nASKED = {source_of(columns)}\n{script_text.MAY_BE_MISSING}"


def _line(recipe: Recipe) -> str:
    stated = (
        f"{field.name}={getattr(recipe, field.name)!r}"
        for field in fields(recipe)
        if field.default is MISSING or getattr(recipe, field.name) != field.default
    )
    return f"Part({', '.join(stated)})"
