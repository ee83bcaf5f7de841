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
from dpengine.data.schema import PrivacyUnit, Schema

__all__ = [
    "Aggregate",
    "And",
    "Between",
    "BinCounts",
    "BooleanColumn",
    "CategoryColumn",
    "CategoryCounts",
    "Column",
    "Comparison",
    "Condition",
    "DateColumn",
    "FixedPointSum",
    "IsMissing",
    "Not",
    "NumberColumn",
    "OneOf",
    "Or",
    "PeopleCount",
    "PrivacyUnit",
    "RowCount",
    "Schema",
    "SignedCount",
    "TextColumn",
    "both",
]
