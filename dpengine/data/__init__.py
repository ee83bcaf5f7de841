"""Where the rows are: declared schema, intake, engines, and tables that answer aggregates with exact integers."""

from dpengine.data.aggregates import (
    Aggregate,
    BinCounts,
    CategoryCounts,
    FixedPointSum,
    PeopleCount,
    RowCount,
    SignedCount,
)
from dpengine.data.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.conditions import And, Between, Comparison, Condition, IsMissing, Not, OneOf, Or, both
from dpengine.data.intake import read_table
from dpengine.data.intake_report import ColumnReport, IntakeReport
from dpengine.data.preview import ColumnGuess, Preview, preview
from dpengine.data.references import DEPTH, LARGEST_STEP, require_aggregate, require_condition
from dpengine.data.samples import load_sample, sample_description, sample_frame, sample_names, sample_schema
from dpengine.data.schema import PrivacyUnit, Schema
from dpengine.data.table import Table

__all__ = [
    "DEPTH",
    "LARGEST_STEP",
    "Aggregate",
    "And",
    "Between",
    "BinCounts",
    "BooleanColumn",
    "CategoryColumn",
    "CategoryCounts",
    "Column",
    "ColumnGuess",
    "ColumnReport",
    "Comparison",
    "Condition",
    "DateColumn",
    "FixedPointSum",
    "IntakeReport",
    "IsMissing",
    "Not",
    "NumberColumn",
    "OneOf",
    "Or",
    "PeopleCount",
    "Preview",
    "PrivacyUnit",
    "RowCount",
    "Schema",
    "SignedCount",
    "Table",
    "TextColumn",
    "both",
    "load_sample",
    "preview",
    "read_table",
    "require_aggregate",
    "require_condition",
    "sample_description",
    "sample_frame",
    "sample_names",
    "sample_schema",
]
