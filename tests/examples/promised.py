"""Promises to judge: one that says hardly anything, one of every day, and the longest with a page for each field."""

from __future__ import annotations

import math
from dataclasses import replace

from dpengine.deployments import SourcePage
from dpengine.privacy import Neighbors
from dpengine.promises import HANDLING, NOT_LOOKED_UP, Handling, Promise
from dpengine.promises.promise import LONGEST_NAME
from dpengine.reports.evaluations.promise_fields import FIELDS

SHORT = Promise(name="A vendor’s dashboard")
DAILY = Promise(
    name="Phones",
    by="A vendor",
    epsilon=1.5,
    delta=1e-5,
    unit="person-day",
    neighbors=Neighbors.ADD_REMOVE,
    every_days=1.0,
    for_days=math.inf,
    rule=NOT_LOOKED_UP,
    model="local",
    people=1_000_000,
    handling=Handling(code="open", audit=NOT_LOOKED_UP),
)
LONGEST = Promise(
    name="W" * LONGEST_NAME,
    by="漢" * LONGEST_NAME,
    epsilon=123.456,
    delta=1.23456e-7,
    noise="randomized_response",
    noise_multiplier=0.123456,
    unit="device-six-hours",
    neighbors=Neighbors.REPLACE_ONE,
    every_days=1.23456,
    for_days=1234.56,
    model="shuffled",
    contribution=math.inf,
    people=999_999_999_999,
    handling=Handling(
        **{
            name: next(key for key, answer in list(asked.answers.items())[::-1] if not answer.sound)
            for name, asked in HANDLING.items()
        }
    ),
)
"""Nearly every field is stated, and weak, in as many words as it has; the rule is not, which leaves ranges."""
MANY_TIMES = replace(LONGEST, epsilon=0.25, delta=0.0, every_days=0.25, for_days=3650.0)
"""A row for each stretch of time."""
PAGES = {
    name: SourcePage(
        title=f"{number} {'Title ' * 8}".strip(),
        publisher="A publisher of some length",
        place=f"example.org/{'a' * 80}/{number}",
    )
    for number, name in enumerate(FIELDS)
}
