"""Where the rows are: declared schema, intake, engines, and tables that answer aggregates with exact integers."""

from dpengine.data.aggregates.aggregate_kinds import (
    PERIODS,
    Aggregate,
    BinCounts,
    CategoryCounts,
    ConditionCounts,
    FixedPointMoments,
    FixedPointSum,
    GroupedCounts,
    GroupedSums,
    Grouping,
    PeopleCount,
    PeriodCounts,
    RowCount,
    SignedCount,
    StepCounts,
)
from dpengine.data.aggregates.aggregate_references import LARGEST_STEP, MOST_GROUPS, require_aggregate
from dpengine.data.aggregates.contributions import Contributions
from dpengine.data.aggregates.equivalence_classes import Crowds
from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.conditions import (
    And,
    Between,
    Comparison,
    Condition,
    IsMissing,
    Not,
    OneOf,
    Or,
    both,
    require_condition_itself,
    settle_conditions,
)
from dpengine.data.declared.generalization import MOST_COLUMNS, AsItIs, Bands, Coarsening, Dropped, Period, Prefix
from dpengine.data.declared.labels import LONGEST_LABEL, ColumnLabel, Labels, Phrase, proposed_label
from dpengine.data.declared.references import DEPTH, columns_of, require_condition
from dpengine.data.declared.schema import PrivacyUnit, Schema
from dpengine.data.engines.intake_report import ColumnReport, IntakeReport
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake.configured import TABLES_VARIABLE, ConfiguredTable, configured_tables
from dpengine.data.intake.description import describe
from dpengine.data.intake.preview import ColumnGuess, Preview, preview
from dpengine.data.intake.table_intake import read_table, upload_limit
from dpengine.data.samples.practice_tables import (
    load_sample,
    sample_description,
    sample_frame,
    sample_labels,
    sample_names,
    sample_schema,
)
from dpengine.data.table import Table

__all__ = [
    "DEPTH",
    "LARGEST_STEP",
    "LONGEST_LABEL",
    "MOST_COLUMNS",
    "MOST_GROUPS",
    "PERIODS",
    "TABLES_VARIABLE",
    "Aggregate",
    "And",
    "AsItIs",
    "Bands",
    "Between",
    "BinCounts",
    "BooleanColumn",
    "CategoryColumn",
    "CategoryCounts",
    "Coarsening",
    "Column",
    "ColumnGuess",
    "ColumnLabel",
    "ColumnReport",
    "Comparison",
    "Condition",
    "ConditionCounts",
    "ConfiguredTable",
    "Contributions",
    "Crowds",
    "DateColumn",
    "Dropped",
    "FixedPointMoments",
    "FixedPointSum",
    "GroupedCounts",
    "GroupedSums",
    "Grouping",
    "IntakeReport",
    "IsMissing",
    "Labels",
    "Not",
    "NumberColumn",
    "OneOf",
    "Or",
    "PeopleCount",
    "Period",
    "PeriodCounts",
    "Phrase",
    "Prefix",
    "Preview",
    "PrivacyUnit",
    "ReadingWatch",
    "RowCount",
    "Schema",
    "SignedCount",
    "StepCounts",
    "Table",
    "TextColumn",
    "both",
    "columns_of",
    "configured_tables",
    "describe",
    "load_sample",
    "preview",
    "proposed_label",
    "read_table",
    "require_aggregate",
    "require_condition",
    "require_condition_itself",
    "sample_description",
    "sample_frame",
    "sample_labels",
    "sample_names",
    "sample_schema",
    "settle_conditions",
    "upload_limit",
]
