"""What is asked: frozen questions that name their noisy parts and put the readings together again."""

from dpengine.queries.count import CountPeopleQuery, CountQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.part import Part, Reading
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query
from dpengine.queries.total import MeanQuery, SumQuery
from dpengine.queries.words import in_words, question

__all__ = [
    "CountPeopleQuery",
    "CountQuery",
    "HistogramQuery",
    "MeanQuery",
    "Part",
    "ProportionQuery",
    "Query",
    "Reading",
    "SumQuery",
    "in_words",
    "question",
]
