"""The twelve inpatients by whom k-anonymity is usually explained, and how their columns may be told less exactly."""

from __future__ import annotations

import pandas as pd

from dpengine.attacks.k_anonymity.hierarchies import Hierarchy
from dpengine.attacks.k_anonymity.recoding import Cuts
from dpengine.data import AsItIs, Dropped, Prefix

INPATIENTS = pd.DataFrame(
    [
        ("13053", "28", "Russian", "heart disease"),
        ("13068", "29", "American", "heart disease"),
        ("13068", "21", "Japanese", "viral infection"),
        ("13053", "23", "American", "viral infection"),
        ("14853", "50", "Indian", "cancer"),
        ("14853", "55", "Russian", "heart disease"),
        ("14850", "47", "American", "viral infection"),
        ("14850", "49", "American", "viral infection"),
        ("13053", "31", "American", "cancer"),
        ("13053", "37", "Indian", "cancer"),
        ("13068", "36", "Japanese", "cancer"),
        ("13068", "35", "American", "cancer"),
    ],
    columns=["zip", "age", "nationality", "condition"],
)
"""Source: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007, Figure 1."""

HIERARCHIES = (
    Hierarchy(
        column="zip",
        levels=(AsItIs(column="zip"), *(Prefix(column="zip", letters=n) for n in (4, 3, 2, 1)), Dropped(column="zip")),
    ),
    Hierarchy(
        column="age",
        levels=(
            AsItIs(column="age"),
            Cuts(column="age", cuts=(30, 40)),
            Cuts(column="age", cuts=(40,)),
            Dropped(column="age"),
        ),
    ),
    Hierarchy(column="nationality", levels=(AsItIs(column="nationality"), Dropped(column="nationality"))),
)
"""What these can make includes Figures 2 and 3 of the same paper (nobody of these is 40)."""
