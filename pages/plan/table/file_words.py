"""What is said of a file, for the eyes of whoever brought it: doubts, what is no part of the table, what was lost."""

from __future__ import annotations

from collections.abc import Sequence

from dpengine.data import IntakeReport, NumberColumn, Preview, Schema
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.notation import written_day
from dpengine.data.typed.misfits import Misfits
from dpengine.formatting import amount
from dpengine.privacy import Neighbors
from dpengine.queries.sensitivity.sentences import agreeing, plural
from pages.phrasing import wording
from pages.widgets.escaping import code, listed

_MANY, _MOST = 0.05, 0.5
"""The shares of a column's values beyond its bounds above which that is said."""
ALL_READ = "Every row counts, and every cell could be read as you declared it."
"""Of a file of which nothing is lost."""


def lost(report: IntakeReport, schema: Schema) -> str:
    """What of a file does not count, or hardly holds anything, as sentences; empty where all of it is used.

    No count of the file stands in them: they are shown without being asked for.
    """
    misfits = [one.name for one in report.columns if one.misfits]
    empty = [one.name for one in report.columns if 2 * one.missing > report.rows_read]
    complete = {column.name for column in schema.columns if isinstance(column, NumberColumn) and column.complete}
    lacking = [one.name for one in report.columns if one.name in complete and one.missing + one.misfits]
    rows = "Most" if 2 * report.rows_beyond_limit > report.rows_read else "Some"
    wrong = (
        f"Some cells of {listed(misfits)} did not fit what you declared and count as missing." if misfits else "",
        f"Values of {listed(lacking)} are missing, where you ticked never missing: is the tick right?"
        if lacking
        else "",
        *_cut(report),
        _other_people(report, schema),
    )
    so = (
        f"Most cells of {listed(empty)} are empty: questions about them rest on few rows. Enter on **Trade-off** how "
        "many you expect."
        if empty
        else "",
        f"{rows} rows are beyond the number that one person counts with, and are dropped at random."
        if report.rows_beyond_limit
        else "",
    )
    mended = "If what you declared is wrong, declare it differently on **Data**." if any(wrong) else ""
    return " ".join(filter(None, (*wrong, mended, *so)))


def may_name_people(read: Preview | None, schema: Schema) -> str:
    """That a column may name people and repeats, where every row is declared another person; empty where none does."""
    repeating = [one for one in read.columns if one.rows_each > 1.0] if read and schema.one_row_each else []
    if not repeating:
        return ""
    most = max(repeating, key=lambda one: one.rows_each)
    return (
        f"Each row is declared another person, and each value of {code(most.name)} stands in "
        f"{amount(most.rows_each, 3)} of the first rows on average. If it names the person, an answer hides "
        "only one of their rows. Who is hidden is declared on **Data**, and fixed once an account is opened."
    )


def _cut(report: IntakeReport) -> list[str]:
    """Of which columns most values, or many, lie beyond the bounds: a sentence for each of both."""
    shares = {one.name: one.beyond / max(report.rows_read - one.missing - one.misfits, 1) for one in report.columns}
    most = [name for name, share in shares.items() if share > _MOST]
    many = [name for name, share in shares.items() if _MANY < share <= _MOST]
    return [
        f"{how_many} values of {listed(names)} lie beyond {'its' if len(names) == 1 else 'their'} bounds and are "
        "cut to them. Are the bounds right?"
        for how_many, names in (("Most", most), ("Many", many))
        if names
    ]


def _other_people(report: IntakeReport, schema: Schema) -> str:
    """That the declared number of people, one row each, is not the file's; empty where it is, or none is declared."""
    if schema.people in (None, report.rows_read) or not schema.one_row_each:
        return ""
    return (
        f"You declared {plural(schema.people or 0, 'person')}, one row each, and the file has another number of rows: "
        "means and shares divide by the declared number, and are off by that. Correct it before you open the account."
    )


def as_declared(found: Sequence[Misfits], read: Preview) -> str:
    """That no cell of the first rows would be lost, what else is found in them, and what is not checked yet."""
    fits = "" if found else "Every cell can be read as you declared it. "
    told = [f"Checked: {read.seen}. {fits}{_rest(read)}For your eyes only.", *_cut_or_empty(found)]
    return "\n".join([*told, *_after(found)])


def not_as_declared(found: Sequence[Misfits], read: Preview, schema: Schema, neighbors: Neighbors) -> str:
    """Which cells of the first rows are not as declared, and what becomes of them."""
    lost, lacking = sum(one.misfits for one in found), [one for one in found if one.lacking]
    what = "1 cell does" if lost == 1 else "some cells do"
    title = f"{what} not fit what you declared, and would count as missing"
    if not lost:
        title = "values are missing where you ticked never missing"
    told = [f"**Checked: {read.seen}; {title}.** {_rest(read)}For your eyes only."]
    told += [
        f"- {code(one.name)}: {one.misfits:,} of {plural(one.cells, 'cell')} {agreeing(one.misfits, 'do')} not fit, "
        f"such as {listed(one.examples)}"
        for one in found
        if one.misfits
    ]
    told += _cut_or_empty(found)
    told += [
        f"- {code(one.name)}, ticked never missing: {one.lacking:,} of {plural(read.sampled, 'value')} "
        f"{agreeing(one.lacking, 'are')} missing"
        for one in lacking
    ]
    becomes = [f"\n{_becomes(schema, neighbors)}"] if lacking else []
    return "\n".join([*told, *becomes, *_after(found)])


def _cut_or_empty(found: Sequence[Misfits]) -> list[str]:
    """Whose values count as a bound, and where there was nothing to check, as lines of a list."""
    cut = [
        f"- {code(one.name)}: {one.beyond:,} of {plural(one.cells - one.misfits, 'value')} "
        f"{agreeing(one.beyond, 'lie')} beyond its bounds and {agreeing(one.beyond, 'count')} as the nearest bound"
        for one in found
        if one.beyond
    ]
    return cut + [
        f"- {code(one.name)} is empty in all of them, so nothing could be checked" for one in found if one.empty
    ]


def _after(found: Sequence[Misfits]) -> list[str]:
    """What follows for bounds from having seen how many values they cut."""
    return [f"\n{wording.EXACT_SHOWN}"] if any(one.beyond for one in found) else []


def _rest(read: Preview) -> str:
    """When the rows behind the first ones are checked, where there may be any."""
    return "The rest is checked when you use the table. " if read.seen.startswith("the first") else ""


def _becomes(schema: Schema, neighbors: Neighbors) -> str:
    """What a value that is missing all the same does to answers, as `counts_everybody` of the queries has it."""
    if neighbors is Neighbors.ADD_REMOVE:
        return "Such values do not count. Where the number of people is private, the tick changes nothing."
    if not schema.one_row_each:
        return "Such values do not count. Where a person may have several rows, the tick changes nothing."
    return (
        "In the mean, sum and variance of everybody, such a value counts as the middle of the bounds. In every other "
        "answer it does not count. Is the tick right?"
    )


UNSURE = "Say first how this file is written: what may be read in two ways would be decided by single rows of it."


def sure_of(read: Preview) -> str:
    """What somebody says who knows how the cells are meant that may be read in two ways."""
    return f"I know, and not only from these rows, that {' and '.join(_meant(cell, read.form) for cell in read.doubts)}"


def _meant(cell: str, form: FileForm) -> str:
    """How a cell is read that may be read in two ways: a day, or a number with a fraction or without."""
    if written_day(cell, form.notation) is not None:
        return f"{code(cell)} has the {form.notation.dates.removesuffix(' first')} first"
    mark = str(form.notation.decimal)
    if mark in cell:
        return f"{code(mark)} in {code(cell)} stands before a fraction"
    return f"{code(cell)} is a whole number, with {code(form.notation.thousands)} between thousands"


def doubts(read: Preview) -> list[str]:
    """What of the first rows may be read in two ways, and what cannot be read at all, as sentences."""
    told = [
        f"{code(cell)} may be read in two ways: look at how numbers and dates are written, above."
        for cell in read.doubts
    ]
    if read.letters:
        told.append(f"Is {code(read.letters)} written as it should be? If not, choose how letters are written, above.")
    if read.left_out.uncomputed:
        told.append(
            f"{plural(read.left_out.uncomputed, 'formula')} saved without a result will count as missing. Open the "
            "workbook in a spreadsheet program and save it, then bring it again."
        )
    return told


def filled(read: Preview) -> str:
    """Which columns had merged cells, and in how many rows their value was filled in; empty where none had."""
    told = [f"{code(name)} ({plural(cells, 'cell')})" for name, cells in read.left_out.filled.items()]
    if not told:
        return ""
    return f"Merged cells were filled: {', '.join(told)}. Each row below a merged cell's first has its value, too."


def left_out(read: Preview) -> str:
    """What of the file is no part of the table, as a sentence; empty where all of it is."""
    out, unit = read.left_out, "row" if read.sheets else "line"
    parts = [
        f"{plural(count, unit)} {where}" + (f" ({' to '.join(map(code, filter(None, says)))})" if any(says) else "")
        for count, where, says in (
            (out.above, "above the header", (out.above_says, out.above_ends)),
            (out.below, "at the end", (out.below_says,)),
        )
        if count
    ]
    if out.nameless:
        parts.append(f"column{'s' if len(out.nameless) > 1 else ''} {', '.join(out.nameless)} without a name")
    return f"Left out: {'; '.join(parts)}." if parts else ""
