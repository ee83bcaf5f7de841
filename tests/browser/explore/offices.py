"""Files as offices write them: six tables with something in each that a program rarely expects."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq

from tests.examples.workbooks import merged, workbook


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """A file, what the form begins with, what its person types, and which cells are lost, by column.

    `kinds` are those that no first row tells; `typed` and `days` are labels of boxes and what goes in; `person` is the
    column that names the person, where rows repeat; `said` is what a person is told before the table is used.
    """

    name: str
    content: Callable[[], bytes]
    begins: Mapping[str, str]
    typed: Mapping[str, str]
    rows: int
    kinds: Mapping[str, str] = field(default_factory=dict)
    days: Mapping[str, str] = field(default_factory=dict)
    person: str = ""
    said: Sequence[str] = ()
    lost: Sequence[str] = ()


def bounds(name: str, lowest: str, highest: str) -> dict[str, str]:
    """What is typed for a number."""
    return {f"Lowest possible value of {name}": lowest, f"Highest possible value of {name}": highest}


def _stations() -> bytes:
    """Semicolons, Latin-1, decimal commas, points between thousands, days with points."""
    rng = random.Random(1)
    lines = ["Größe;Station;Aufnahme;Kosten"]
    for _ in range(400):
        day = f"{rng.randint(1, 28):02}.{rng.randint(1, 12):02}.2023"
        cost = f"{rng.choice(['', '1.'])}{rng.randint(100, 999)},{rng.randint(0, 99):02}"
        lines.append(f"1,{rng.randint(50, 99)};{rng.choice(['Süd', 'Nord'])};{day};{cost}")
    return "\r\n".join(lines).encode("latin-1")


def _survey() -> bytes:
    """Title lines, a header of two rows, an empty column, departments merged over their rows, a total."""
    rng = random.Random(2)
    rows: list[list[object]] = [["Staff survey 2024"], ["Printed 2024-11-02"], [], ["Department", None, "Per week"]]
    rows.append([None, None, "hours", "sick days"])
    ranges = ["A1:D1", "A4:A5", "C4:D4"]
    for department in ("Radiology", "Surgery", "Pharmacy"):
        ranges.append(f"A{len(rows) + 1}:A{len(rows) + 20}")
        rows += [[department if i == 0 else None, None, rng.randint(20, 40), rng.randint(0, 12)] for i in range(20)]
    return merged(workbook(*rows, [], ["Total", None, 1800, 360]), *ranges)


def _weights() -> bytes:
    """Days with points that are never written with two digits, and words where a number is not known."""
    rng = random.Random(3)
    lines = ["visit,weight"]
    lines += [f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.2024,{rng.uniform(50, 100):.1f}" for _ in range(300)]
    return "\n".join([*lines, "3.4.2024,not weighed"]).encode()


def _visits() -> bytes:
    """A numeric identifier with twelve rows for each patient."""
    rng = random.Random(4)
    lines = [f"{1000 + i // 12},{30 + i // 12 % 50},{rng.randint(5, 500)}" for i in range(1200)]
    return "\n".join(["patient_id,age,cost", *lines]).encode()


def _large() -> bytes:
    """300,000 rows, and one cell far behind the first thousand that does not fit."""
    rng = random.Random(5)
    lines = [f"{rng.randint(18, 90)},{rng.randint(0, 90_000)}" for _ in range(300_000)]
    return "\n".join(["age,income", *lines[:-1], "old,1"]).encode()


def _measured() -> bytes:
    """Parquet whose statistics leave out that nearly every number is none."""
    file = io.BytesIO()
    numbers = [math.nan] * 1000 + [3.0, math.inf]
    pq.write_table(pa.table({"level": numbers, "ward": ["a", "b"] * 501}), file)
    return file.getvalue()


OFFICES: Sequence[Office] = (
    Office(
        name="stationen.csv",
        content=_stations,
        begins={
            "Delimiter": "semicolon  ;",
            "How letters are written (encoding)": "Windows, Western Europe",
            "Decimal mark": "comma  3,5",
            "Between thousands": "point  1.000",
            "Dates": "day first  31.12.2024",
        },
        typed=bounds("Größe", "0", "3") | {"Values of Station": "Nord, Süd"} | bounds("Kosten", "0", "3000"),
        days={"Earliest possible day of Aufnahme": "2023-01-01", "Latest possible day of Aufnahme": "2023-12-31"},
        rows=400,
        said=("Is Größe written as it should be?",),
    ),
    Office(
        name="survey.xlsx",
        content=_survey,
        begins={"Header in row": "5", "Last rows to leave out": "1", "Columns of the table": "all, A to D"},
        typed={"Values of Department": "Radiology, Surgery, Pharmacy"}
        | bounds("hours", "0", "60")
        | bounds("sick days", "0", "30"),
        rows=60,
        said=(
            "Left out: 3 rows above the header (Staff survey 2024 to Department · Per week); 1 row at the end (Total",
            "Merged cells were filled: Department (57 cells).",
        ),
    ),
    Office(
        name="weights.csv",
        content=_weights,
        begins={"Dates": "day first  31.12.2024", "Delimiter": "comma  ,"},
        typed=bounds("weight", "0", "200"),
        days={"Earliest possible day of visit": "2024-01-01", "Latest possible day of visit": "2024-12-31"},
        rows=301,
        said=("weight: 1 of 301 cells does not fit, such as not weighed",),
        lost=("weight",),
    ),
    Office(
        name="visits.csv",
        content=_visits,
        begins={"Delimiter": "comma  ,"},
        typed=bounds("age", "0", "120") | bounds("cost", "0", "1000"),
        rows=1200,
        person="patient_id",
    ),
    Office(
        name="large.csv",
        content=_large,
        begins={"Delimiter": "comma  ,"},
        typed=bounds("age", "0", "120") | bounds("income", "0", "100000"),
        rows=300_000,
        lost=("age",),
    ),
    Office(
        name="measured.parquet",
        content=_measured,
        begins={"Dates that are text": "only  2024-12-31"},
        kinds={"level": "number"},
        typed=bounds("level", "0", "10") | {"Values of ward": "a, b"},
        rows=1002,
        lost=("level",),
    ),
)
