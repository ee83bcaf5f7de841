"""Tables that come with the project, with their public facts: two real studies and one invented hospital."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa

from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.labels import Labels
from dpengine.data.declared.schema import PrivacyUnit, Schema
from dpengine.data.files.cells import Cells
from dpengine.data.files.csv_text import read_csv
from dpengine.data.samples.patients import DISEASES, PATIENTS, RACES, SEXES, ZIPS, patient_columns
from dpengine.data.samples.practice_labels import LABELS
from dpengine.data.table import Table
from dpengine.errors import named, require_one_of

_FOLDER = Path(__file__).parent / "tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    schema: Schema
    description: str
    cells: Callable[[], Cells]


def sample_names() -> tuple[str, ...]:
    """The built-in tables, the one with several rows a person first."""
    return tuple(_SAMPLES)


@named
def load_sample(name: str) -> tuple[Table, Schema]:
    """A built-in table, freshly loaded, and its public facts."""
    sample = _sample(name)
    return Table.of_cells(sample.cells(), schema=sample.schema, built_in=True), sample.schema


def sample_schema(name: str) -> Schema:
    """The public facts of a built-in table; no row is read."""
    return _sample(name).schema


def sample_labels(name: str) -> Labels:
    """What sentences call the table, its columns and the usual conditions."""
    require_one_of("sample", name, sample_names())
    return LABELS[name]


def sample_description(name: str) -> str:
    """One plain sentence on what the table holds, its source, and its license."""
    return _sample(name).description


def sample_frame(name: str) -> pd.DataFrame:
    """The public rows of a built-in table as text cells, for demonstrations of attacks; no other table has this."""
    cells = _sample(name).cells()
    return pd.DataFrame({label: column.to_pylist() for label, column in zip(cells.names, cells.columns, strict=True)})


def _sample(name: str) -> _Sample:
    require_one_of("sample", name, sample_names())
    return _SAMPLES[name]


def _file_cells(file_name: str) -> Cells:
    return read_csv((_FOLDER / file_name).read_bytes(), encoding="utf-8", delimiter=",")


def _patient_cells() -> Cells:
    columns = patient_columns()
    return Cells.of(tuple(columns), [pa.chunked_array([cells], type=pa.string()) for cells in columns.values()])


def _complete(name: str, lower: float, upper: float, unit: str = "") -> NumberColumn:
    return NumberColumn(name=name, lower=lower, upper=upper, unit=unit, complete=True)


_RAND_HIE = Schema(
    name="rand_hie",
    columns=(
        TextColumn(name="person"),
        CategoryColumn(name="year", categories=("1", "2", "3", "4", "5")),
        _complete("age", 0, 100, "years"),
        BooleanColumn(name="female"),
        NumberColumn(name="income", lower=0, upper=30_000, unit="dollars"),
        NumberColumn(name="education_years", lower=0, upper=25, unit="years"),
        CategoryColumn(name="coinsurance_percent", categories=("0", "25", "50", "95", "100")),
        _complete("doctor_visits", 0, 50, "visits"),
        _complete("hospital_stays", 0, 10, "stays"),
        _complete("medical_dollars", 0, 5_000, "dollars"),
        _complete("chronic_disease_index", 0, 60),
        _complete("mental_health_index", 0, 100),
        CategoryColumn(name="self_rated_health", categories=("excellent", "good", "fair", "poor")),
    ),
    unit=PrivacyUnit(identifier="person", rows=5),
    people=5_912,
)

_ANES_1996 = Schema(
    name="anes_1996",
    columns=(
        TextColumn(name="voter"),
        _complete("age", 0, 120, "years"),
        CategoryColumn(
            name="education",
            categories=(
                "1-8 grades",
                "some high school",
                "high school",
                "some college",
                "college degree",
                "masters degree",
                "doctorate",
            ),
        ),
        _complete("income_thousand_dollars", 0, 150, "thousand dollars"),
        CategoryColumn(
            name="party",
            categories=(
                "strong democrat",
                "weak democrat",
                "independent democrat",
                "independent",
                "independent republican",
                "weak republican",
                "strong republican",
            ),
        ),
        _complete("tv_news_days", 0, 7, "days"),
        CategoryColumn(name="expected_vote", categories=("clinton", "dole")),
    ),
    people=944,
)

_PATIENTS = Schema(
    name="patients",
    columns=(
        TextColumn(name="name"),
        CategoryColumn(name="zip", categories=ZIPS),
        DateColumn(name="date_of_birth", earliest=date(1900, 1, 1), latest=date(2024, 12, 31)),
        CategoryColumn(name="sex", categories=SEXES),
        _complete("age", 0, 120, "years"),
        CategoryColumn(name="race", categories=RACES),
        CategoryColumn(name="disease", categories=DISEASES),
        DateColumn(name="admission", earliest=date(2024, 1, 1), latest=date(2024, 12, 31)),
    ),
    people=PATIENTS,
)

_SAMPLES = {
    "rand_hie": _Sample(
        schema=_RAND_HIE,
        description=(
            "What people in a health insurance experiment spent and how they felt, one row for each person and year. "
            "Source: RAND Health Insurance Experiment, as in Cameron and Trivedi 2005. License: public domain."
        ),
        cells=partial(_file_cells, "rand_hie.csv"),
    ),
    "anes_1996": _Sample(
        schema=_ANES_1996,
        description=(
            "What 944 voters in the United States thought and earned in 1996, one row for each voter. "
            "Source: American National Election Studies. License: public domain."
        ),
        cells=partial(_file_cells, "anes_1996.csv"),
    ),
    "patients": _Sample(
        schema=_PATIENTS,
        description=(
            "An invented hospital with 2,000 invented patients, one row for each. "
            "Source: generated by this project; any likeness is chance. License: MIT, as the project."
        ),
        cells=_patient_cells,
    ),
}
