"""A table whose every telling value is distinctive, with what a plain count says about it: bait for leaks."""

from __future__ import annotations

import csv
import io
import statistics
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property
from random import Random

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    SumQuery,
)
from dpengine.scenario import Scenario
from tests.servers.wire import Value

LIMIT, LOWEST, HIGHEST = 5, 0.0, 5000.0
CITIES = (
    "v] [v](http://e.example)",
    "www.f.example me@f.example http://f.example",
    "<a href=http://g.example>v</a>",
    "![v](http://h.example/v.png)",
)
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2020, 12, 31)
EPSILON = 0.0001
HEAVY = "pid-Wexlorth-001"
HEAVY_ROWS = 1861
TABLE = "t [n](http://n.example)"
PERSON, NOTE, CITY = "<script>window.alive=1</script>", "![i](http://b.example/i.png)", "x] [x](http://a.example)"
HEIGHT, DAY, SALARY = "http://d.example/page", ":smile: $x^2$ `y`", "$x^2$ [y](http://y.example)"
SMOKER = "<img src=http://c.example/i.png onerror=window.alive=1>"
HEADER = (PERSON, NOTE, CITY, HEIGHT, DAY, SMOKER, SALARY)
"""Names that are links, pictures, scripts and formulas elsewhere; so are the cities and the unit."""
_OTHER_PEOPLE = 8123
_MISFITS, _EMPTY, _NAMELESS, _SMOKER_MISFITS = 1613, 2711, 1913, 1223


@cache
def file() -> bytes:
    """The table as CSV: people with a few rows, one with very many, cells that fit nothing, rows of nobody."""
    text = io.StringIO()
    csv.writer(text).writerows([HEADER, *_rows()])
    return text.getvalue().encode()


def schema() -> Schema:
    """What is declared about it."""
    return Schema(
        name=TABLE,
        columns=(
            TextColumn(name=PERSON),
            TextColumn(name=NOTE),
            CategoryColumn(name=CITY, categories=CITIES),
            NumberColumn(name=HEIGHT, lower=LOWEST, upper=HIGHEST, unit="![u](http://u.example)"),
            DateColumn(name=DAY, earliest=FIRST_DAY, latest=LAST_DAY),
            BooleanColumn(name=SMOKER),
        ),
        unit=PrivacyUnit(identifier=PERSON, rows=LIMIT),
    )


def plan(budget: float = 1.0) -> Scenario:
    """Questions of every kind, at an epsilon that makes a noisy answer equal to the exact one about never."""
    guarantee = Guarantee(epsilon=EPSILON)
    asked = (
        CountPeopleQuery(),
        CountQuery(where=Comparison(CITY, "=", CITIES[0])),
        SumQuery(HEIGHT),
        MeanQuery(HEIGHT),
        HistogramQuery(CITY),
        QuantileQuery(HEIGHT),
        ModeQuery(CITY),
    )
    return Scenario(
        table_name=TABLE,
        schema=schema(),
        neighbors=Neighbors.ADD_REMOVE,
        queries=tuple(PlannedQuery(query=query, guarantee=guarantee) for query in asked),
        budget=Guarantee(epsilon=budget, delta=1e-6),
    )


def _rows() -> list[tuple[str, ...]]:
    """In a fixed disorder, so that the first rows are of no special kind."""
    random = Random(7)
    rows = [_row(random, f"pid-Zarf-{number:05d}") for number in range(_OTHER_PEOPLE) for _ in range(1 + number % 2)]
    rows += [(HEAVY, "heavy", CITIES[3], "777.25", "2010-01-01", "yes", "1")] * HEAVY_ROWS
    rows += [("", "nobody", CITIES[2], "1", "2010-01-01", "no", "1")] * _NAMELESS
    random.shuffle(rows)
    named = [at for at, row in enumerate(rows) if row[0] not in ("", HEAVY)]
    for place, (column, cell) in enumerate(CELLS.values()):
        rows[named[place * 700]] = _with(rows[named[place * 700]], column, cell)
    for at in named[-_MISFITS:]:
        rows[at] = _with(rows[at], HEIGHT, "unmeasured")
    for at in named[-_MISFITS - _EMPTY : -_MISFITS]:
        rows[at] = _with(rows[at], HEIGHT, "")
    for at in named[-_SMOKER_MISFITS:]:
        rows[at] = _with(rows[at], SMOKER, "sometimes-Quandle")
    return rows


def _row(random: Random, person: str) -> tuple[str, ...]:
    city = random.choices(CITIES, weights=(4, 3, 2, 1))[0]
    day = FIRST_DAY + timedelta(days=random.randrange(7000))
    height, salary = f"{random.uniform(100.0, 4000.0):.4f}", str(random.randrange(20_000, 90_000))
    return person, "plain", city, height, day.isoformat(), random.choice(("yes", "no")), salary


def _with(row: tuple[str, ...], column: str, cell: str) -> tuple[str, ...]:
    place = HEADER.index(column)
    return (*row[:place], cell, *row[place + 1 :])


CELLS = {
    "first row's text": (NOTE, "Quixley-ab17-first"),
    "a text": (NOTE, "Quixley-cd28-middle"),
    "a text that is a formula": (NOTE, '=HYPERLINK("Quixley-ef39")'),
    "a text that is markup": (NOTE, "<b>Quixley-gh40</b>"),
    "a text in other letters": (NOTE, "Žluťoučký-Квиксли"),
    "a person's name": (PERSON, "pid-Yolanthe-Brisk-88"),
    "a value that was not declared": (CITY, "Quixtown-on-Sea"),
    "a number that is no number": (HEIGHT, "tall-Quixley-51"),
    "a number beyond the bounds": (HEIGHT, "987654.3125"),
    "a number below the bounds": (HEIGHT, "-543218.75"),
    "a number within the bounds": (HEIGHT, "4321.0625"),
    "a day before the calendar": (DAY, "1871-03-17"),
    "a day in another writing": (DAY, "23.11.1987"),
    "a day of one person": (DAY, "2020-11-29"),
    "a cell of a column left out": (SALARY, "salary-Quixley-62"),
    "a number of a column left out": (SALARY, "76543.21875"),
}
"""Cells of single persons: what each is, its column, and how it stands in the file."""


@dataclass(frozen=True)
class Exact:
    """What a plain count over the rows says, after the bound on each person's rows."""

    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def counted(self) -> list[tuple[str, ...]]:
        """At most LIMIT rows of each person; which of the heavy person's does not matter, since all are the same."""
        seen: Counter[str] = Counter()
        kept = []
        for row in self.rows:
            seen[row[0]] += 1
            if row[0] and seen[row[0]] <= LIMIT:
                kept.append(row)
        return kept

    @cached_property
    def heights(self) -> list[float]:
        """Clamped numbers of the rows that count and have one."""
        return sorted(min(max(float(row[3]), LOWEST), HIGHEST) for row in self.counted if _is_number(row[3]))

    @property
    def values(self) -> dict[str, Value]:
        """Results that only somebody who sees the rows can know."""
        cities = Counter(row[2] for row in self.counted)
        height = HEADER.index(HEIGHT)
        unfit = sum(bool(row[height]) and not _is_number(row[height]) for row in self.rows)
        return {
            "rows of the file": len(self.rows),
            "rows of nobody": sum(not row[0] for row in self.rows),
            "rows that count": len(self.counted),
            "rows beyond the limit": HEAVY_ROWS - LIMIT,
            "rows of the heaviest person": HEAVY_ROWS,
            "number of people": len({row[0] for row in self.rows} - {""}),
            "numbers that do not fit": unfit,
            "empty numbers": sum(not row[height] for row in self.rows),
            "yes or no that do not fit": sum(row[5] not in ("yes", "no") for row in self.rows),
            "exact count": cities[CITIES[0]],
            "second bar": cities[CITIES[1]],
            "third bar": cities[CITIES[2]],
            "fourth bar": cities[CITIES[3]],
            "exact sum": sum(self.heights),
            "exact mean": statistics.fmean(self.heights),
            "values that count": len(self.heights),
            "exact median": statistics.median_low(self.heights),
        }


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def cells() -> dict[str, Value]:
    """The planted cells by name, numbers as numbers."""
    return {name: float(cell) if _is_number(cell) else cell for name, (_, cell) in CELLS.items()}


@cache
def exact() -> dict[str, Value]:
    """The exact results by name."""
    return Exact(rows=tuple(_rows())).values
