"""Deployments where each device adds the noise itself (local model).

Each number was read on the page that its source names; what that page leaves open stands in the note.
"""

from __future__ import annotations

from dpengine.deployments.deployment import Deployment, SourcePage
from dpengine.deployments.source_pages import REAL_WORLD_USES, registry
from dpengine.privacy import Neighbors

_FOR_A_DAY = (
    "Apple promises this for one report, and limits how many a day; a user's day is the source's own conversion. "
    "Apple also mixes the reports of many users, which is not counted."
)

LOCAL: tuple[Deployment, ...] = (
    Deployment(
        name="How long Windows apps are used",
        short="Windows app use",
        by="Microsoft",
        year=2017,
        epsilon=1.672,
        unit="a device's app use in six hours",
        scope="period",
        span="every six hours, again and again",
        model="local",
        neighbors=Neighbors.REPLACE_ONE,
        note="For one round, over any number of apps. For many rounds the paper proves a guarantee of another kind.",
        source=registry(
            "Telemetry Collection in Windows",
            "telemetry_collection_windows",
            "057e5d81cf60150dd3307e0cf4504b957802fb3b",
        ),
    ),
    Deployment(
        name="Which health data types iPhones store",
        short="iPhone health types",
        by="Apple",
        year=2017,
        epsilon=2.0,
        unit="a user's day",
        scope="period",
        span="each day",
        model="local",
        neighbors=Neighbors.REPLACE_ONE,
        note=_FOR_A_DAY,
        source=REAL_WORLD_USES,
    ),
    Deployment(
        name="Which emoji people type",
        short="iPhone emoji",
        by="Apple",
        year=2017,
        epsilon=4.0,
        unit="a user's day",
        scope="period",
        span="each day",
        model="local",
        neighbors=Neighbors.REPLACE_ONE,
        note=_FOR_A_DAY,
        source=REAL_WORLD_USES,
    ),
    Deployment(
        name="What people do with search suggestions",
        short="iPhone lookup hints",
        by="Apple",
        year=2016,
        epsilon=8.0,
        unit="a user's day",
        scope="period",
        span="each day",
        model="local",
        neighbors=Neighbors.REPLACE_ONE,
        note="Two reports a day at epsilon 4 each.",
        source=registry("Lookup Hints", "lookup_hints"),
    ),
    Deployment(
        name="Four kinds of reports from macOS together",
        short="Reports from a Mac",
        by="Apple",
        year=2016,
        epsilon=16.0,
        unit="a user's day",
        scope="period",
        span="each day",
        model="local",
        neighbors=Neighbors.REPLACE_ONE,
        note="The most that the system allowed a day to cost, as measured by researchers; Apple did not state it.",
        source=SourcePage(
            title="Privacy Loss in Apple's Implementation of Differential Privacy on MacOS 10.12",
            publisher="Tang and others, arXiv",
            place="arxiv.org/abs/1709.02753",
        ),
    ),
)
