"""Values in, Plotly figures out: the only room that knows how a picture is drawn."""

from dpengine.charts import (
    answer_charts,
    belief_charts,
    budget_charts,
    definition_charts,
    estimate_charts,
    noise_charts,
    property_charts,
)
from dpengine.charts.numbers import (
    amount,
    at_least,
    at_most,
    beside,
    billionths,
    interval,
    lower_of_100,
    out_of_100,
    tiny,
    tiny_at_most,
    tiny_from_log,
    upper_of_100,
)
from dpengine.charts.theme import DARK, LIGHT, PALETTES, Chart, Palette

__all__ = [
    "DARK",
    "LIGHT",
    "PALETTES",
    "Chart",
    "Palette",
    "amount",
    "answer_charts",
    "at_least",
    "at_most",
    "belief_charts",
    "beside",
    "billionths",
    "budget_charts",
    "definition_charts",
    "estimate_charts",
    "interval",
    "lower_of_100",
    "noise_charts",
    "out_of_100",
    "property_charts",
    "tiny",
    "tiny_at_most",
    "tiny_from_log",
    "upper_of_100",
]
