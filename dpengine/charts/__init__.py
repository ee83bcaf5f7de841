"""Values in, Plotly figures out: the only room that knows how a picture is drawn."""

from dpengine.charts.accuracy import (
    answer_charts,
    by_group_charts,
    choice_charts,
    estimate_charts,
    mechanism_charts,
    noise_charts,
    reach_charts,
    selection_charts,
)
from dpengine.charts.attacks import (
    averaging_charts,
    crowd_charts,
    differencing_charts,
    group_charts,
    guessing_charts,
    protected_charts,
    reconstruction_charts,
    success_charts,
)
from dpengine.charts.budget import budget_charts, composition_charts, refusal_charts, walk_charts
from dpengine.charts.drawing.projected import for_projector
from dpengine.charts.drawing.theme import DARK, LIGHT, PALETTES, Chart, Numbers, Palette
from dpengine.charts.privacy import (
    belief_charts,
    cut_charts,
    definition_charts,
    delta_charts,
    loss_charts,
    property_charts,
    ratio_charts,
    response_charts,
)
from dpengine.charts.rooms import room_charts, workshop_charts
from dpengine.charts.tables import contribution_charts, deployment_charts, line_charts

__all__ = [
    "DARK",
    "LIGHT",
    "PALETTES",
    "Chart",
    "Numbers",
    "Palette",
    "answer_charts",
    "averaging_charts",
    "belief_charts",
    "budget_charts",
    "by_group_charts",
    "choice_charts",
    "composition_charts",
    "contribution_charts",
    "crowd_charts",
    "cut_charts",
    "definition_charts",
    "delta_charts",
    "deployment_charts",
    "differencing_charts",
    "estimate_charts",
    "for_projector",
    "group_charts",
    "guessing_charts",
    "line_charts",
    "loss_charts",
    "mechanism_charts",
    "noise_charts",
    "property_charts",
    "protected_charts",
    "ratio_charts",
    "reach_charts",
    "reconstruction_charts",
    "refusal_charts",
    "response_charts",
    "room_charts",
    "selection_charts",
    "success_charts",
    "walk_charts",
    "workshop_charts",
]
