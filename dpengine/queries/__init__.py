"""What is asked: frozen questions that name their noisy parts and put the readings together again."""

from dpengine.queries.conditions_in_words import in_words
from dpengine.queries.count import CountPeopleQuery, CountQuery, declared_number, require_undeclared
from dpengine.queries.forms import KINDS
from dpengine.queries.grouped import GroupedCountQuery, GroupedMeanQuery, GroupedProportionQuery, GroupedSumQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.mode import ModeQuery
from dpengine.queries.part import AnyPart, Choice, Part, Reading
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query, question
from dpengine.queries.quantile import QuantileQuery
from dpengine.queries.several import SeveralProportionsQuery, StatisticalQueries
from dpengine.queries.sql import parse_sql, to_sql
from dpengine.queries.total import MeanQuery, SumQuery
from dpengine.queries.variance import VarianceQuery, largest_variance

__all__ = [
    "KINDS",
    "AnyPart",
    "Choice",
    "CountPeopleQuery",
    "CountQuery",
    "GroupedCountQuery",
    "GroupedMeanQuery",
    "GroupedProportionQuery",
    "GroupedSumQuery",
    "HistogramQuery",
    "MeanQuery",
    "ModeQuery",
    "Part",
    "ProportionQuery",
    "QuantileQuery",
    "Query",
    "Reading",
    "SeveralProportionsQuery",
    "StatisticalQueries",
    "SumQuery",
    "VarianceQuery",
    "declared_number",
    "in_words",
    "largest_variance",
    "parse_sql",
    "question",
    "require_undeclared",
    "to_sql",
]
