"""Deployments where each device adds the noise itself (local model).

Each number was read on the page that its source names; what that page leaves open stands in the note.
"""

from __future__ import annotations

from dpengine.deployments.deployment import Deployment, SourcePage
from dpengine.privacy import Neighbors

_REAL_WORLD_USES = SourcePage(
    title="A list of real-world uses of differential privacy",
    publisher="Damien Desfontaines",
    place="desfontain.es/blog/real-world-differential-privacy.html",
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
        note="For one round of collection, over any number of apps. Rounds repeat, so losses add up over time.",
        source=SourcePage(
            title="Deployments Registry: Telemetry Collection in Windows",
            publisher="OpenDP",
            place=(
                "github.com/opendp/deployments-registry-data/blob/017edf7af6ad6d4448fc0ac9c1850423ad353bc4"
                "/deployments/telemetry_collection_windows.yaml"
            ),
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
        note="Apple states epsilon for one report; the source converted it to a user's day.",
        source=_REAL_WORLD_USES,
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
        note="Apple states epsilon for one report; the source converted it to a user's day.",
        source=_REAL_WORLD_USES,
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
        source=SourcePage(
            title="Deployments Registry: Lookup Hints",
            publisher="OpenDP",
            place=(
                "github.com/opendp/deployments-registry-data/blob/017edf7af6ad6d4448fc0ac9c1850423ad353bc4"
                "/deployments/lookup_hints.yaml"
            ),
        ),
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
