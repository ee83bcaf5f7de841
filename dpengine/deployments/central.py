"""Deployments where a curator holds the data and adds the noise (central model).

Each number was read on the page that its source names; what that page leaves open stands in the note.
"""

from __future__ import annotations

from dpengine.deployments.deployment import Deployment, SourcePage
from dpengine.deployments.source_pages import REAL_WORLD_USES, registry
from dpengine.privacy import Neighbors

_CENSUS_NOTE = (
    "State totals and some other counts are published exactly, outside the promise. Stated as rho = {rho} and turned "
    "into epsilon at this delta {how}."
)


_REDISTRICTING = registry("Disclosure Avoidance System for Redistricting Data", "census_redistricting_data")
_LATER_EDITION = "12ff7fce826b8fea4ad4124aac0c21681f56c0a4"
_DETAIL = registry(
    "Disclosure Avoidance System for Demographic and Housing Data", "census_demographic_and_housing", _LATER_EDITION
)
_URLS = registry("User-URL Privacy Dataset", "user_url_privacy", "04446db98c33a2dc6157a44f81239ff777f3f4fd")

CENTRAL: tuple[Deployment, ...] = (
    Deployment(
        name="Broadband coverage by zip code",
        short="US broadband",
        by="Microsoft",
        year=2021,
        epsilon=0.2,
        unit="a user: all of their records",
        scope="person",
        span="one release",
        neighbors=Neighbors.ADD_REMOVE,
        note="Two counts at epsilon 0.1 each, one from each of two services. How many devices a user has is left open.",
        source=registry("Broadband Coverage", "broadband_coverage", _LATER_EDITION),
    ),
    Deployment(
        name="Links shared on Facebook, one kind of action",
        short="Facebook links one kind",
        by="Meta",
        year=2020,
        epsilon=0.41,
        delta=1e-5,
        unit="a user's actions of one kind, such as shares",
        scope="act",
        span="one version of the data",
        note=(
            "Protects single actions; for 99% of users this epsilon covers all their actions of one kind. "
            "Stated as rho = 0.0052 and turned into epsilon at this delta by the source."
        ),
        source=REAL_WORLD_USES,
    ),
    Deployment(
        name="Wikipedia page views by country, older years",
        short="Wikipedia page views",
        by="Wikimedia Foundation",
        year=2023,
        epsilon=1.0,
        unit="a change of 30 page views on one day",
        scope="act",
        span="each day of the past",
        note="For 2017 to 2023; before, 300 page views. These old logs do not tell users apart.",
        source=registry(
            "Historical Pageviews", "wikimedia_historical_usage_data", "03860b3310066fd2fc1a79d247eb0ad772af7789"
        ),
    ),
    Deployment(
        name="Links shared on Facebook, all kinds of actions",
        short="Facebook links all kinds",
        by="Meta",
        year=2020,
        epsilon=1.453,
        delta=1e-5,
        unit="a user's actions of all kinds",
        scope="act",
        span="one version of the data",
        note=(
            "Protects single actions; for 96.6% of users (after Desfontaines) this epsilon covers all of theirs. "
            "Worked out from the noise itself, which is tighter: for one kind of action that gives 0.34 to 0.35."
        ),
        source=_URLS,
    ),
    Deployment(
        name="Searches for symptoms of COVID-19",
        short="Google symptom searches",
        by="Google",
        year=2020,
        epsilon=1.68,
        unit="a user's day",
        scope="period",
        span="each day",
        neighbors=Neighbors.ADD_REMOVE,
        source=SourcePage(
            title="Google COVID-19 Search Trends Symptoms Dataset: Anonymization Process Description",
            publisher="Google, arXiv",
            place="arxiv.org/abs/2009.01265",
        ),
    ),
    Deployment(
        name="How far people moved, by region",
        short="Facebook movement maps",
        by="Meta",
        year=2020,
        epsilon=2.0,
        unit="a user's day",
        scope="period",
        span="each day",
        source=registry("Movement Ranges Map", "movement_ranges_maps"),
    ),
    Deployment(
        name="Wikipedia editors by country",
        short="Wikipedia editors",
        by="Wikimedia Foundation",
        year=2023,
        epsilon=2.0,
        unit="an editor's month in one project and country",
        scope="period",
        span="each month",
        note=(
            "In countries of lower risk: 1.1 for counts of editors and 0.9 for edits; elsewhere 0.2 or 0.1 in all. "
            "A weekly release of the same kind comes on top."
        ),
        source=registry(
            "Wikipedia Geoeditors Activity Statistics",
            "wikimedia_editor_activity_statistics_2023",
            "04446db98c33a2dc6157a44f81239ff777f3f4fd",
        ),
    ),
    Deployment(
        name="Searches about COVID-19 vaccines",
        short="Google vaccine searches",
        by="Google",
        year=2021,
        epsilon=2.19,
        delta=1e-5,
        unit="a user's day",
        scope="period",
        span="seven of them in each weekly release",
        note="Sorting the searches into categories had a budget of its own, which is not published.",
        source=SourcePage(
            title="Google COVID-19 Vaccination Search Insights: Anonymization Process Description",
            publisher="Google, arXiv",
            place="arxiv.org/abs/2107.01179",
        ),
    ),
    Deployment(
        name="2020 Census, redistricting tables: homes",
        short="US Census homes",
        by="U.S. Census Bureau",
        year=2021,
        epsilon=2.47,
        delta=1e-10,
        unit="a housing unit",
        scope="person",
        span="one release",
        neighbors=Neighbors.REPLACE_ONE,
        note=_CENSUS_NOTE.format(rho="0.07", how="before it was rounded: 0.07 itself gives 2.39"),
        source=_REDISTRICTING,
    ),
    Deployment(
        name="COVID-19 Community Mobility Reports",
        short="Google mobility reports",
        by="Google",
        year=2020,
        epsilon=2.64,
        unit="a user's day",
        scope="period",
        span="each day",
        neighbors=Neighbors.ADD_REMOVE,
        source=registry(
            "Community Mobility Place Visits", "google_mobility", "03860b3310066fd2fc1a79d247eb0ad772af7789"
        ),
    ),
    Deployment(
        name="Who is hiring, by month",
        short="LinkedIn hiring reports",
        by="LinkedIn",
        year=2020,
        epsilon=14.4,
        delta=1.2e-9,
        unit="one hire",
        scope="act",
        span="three monthly reports",
        note=(
            "Each report covers three months and promises 4.8, so one hire is in three; the source adds them up. "
            "Reports on jobs cost as much again."
        ),
        source=REAL_WORLD_USES,
    ),
    Deployment(
        name="National Registry of Live Births, 2014",
        short="Births in Israel",
        by="Israel's Ministry of Health",
        year=2024,
        epsilon=9.98,
        unit="a birth: mother and newborn",
        scope="person",
        span="one release",
        source=SourcePage(
            title="Differentially Private Release of Israel's National Registry of Live Births",
            publisher="Hod and Canetti, arXiv",
            place="arxiv.org/abs/2405.00267",
        ),
    ),
    Deployment(
        name="Victims of human trafficking and their perpetrators",
        short="Trafficking victims",
        by="IOM and Microsoft",
        year=2022,
        epsilon=12.0,
        delta=5.8e-6,
        unit="a victim",
        scope="person",
        span="one release",
        source=registry(
            "CTDC Global Victim-Perpetrator Synthetic Dataset",
            "microsoft_ctdc_victim_perpertartor_synthetic_dataset_2023",
            "057e5d81cf60150dd3307e0cf4504b957802fb3b",
        ),
    ),
    Deployment(
        name="2020 Census, redistricting tables: people",
        short="US Census people",
        by="U.S. Census Bureau",
        year=2021,
        epsilon=17.14,
        delta=1e-10,
        unit="a person",
        scope="person",
        span="one release",
        neighbors=Neighbors.REPLACE_ONE,
        note=_CENSUS_NOTE.format(rho="2.56", how="by a tight conversion; the plain one gives 17.92"),
        source=_REDISTRICTING,
    ),
    Deployment(
        name="2020 Census, age, sex and race in detail: people",
        short="US Census more detail",
        by="U.S. Census Bureau",
        year=2023,
        epsilon=26.34,
        delta=1e-10,
        unit="a person",
        scope="person",
        span="one release, on top of the redistricting tables",
        neighbors=Neighbors.REPLACE_ONE,
        note=_CENSUS_NOTE.format(rho="4.96", how="by the plain conversion; the tight one gives 25.42"),
        source=_DETAIL,
    ),
    Deployment(
        name="Who reads and shares LinkedIn posts",
        short="LinkedIn post audiences",
        by="LinkedIn",
        year=2020,
        epsilon=34.9,
        delta=7e-9,
        unit="a member's month, towards one analyst",
        scope="period",
        span="each month",
        note=(
            "A budget for answers to marketers' own questions. Each analyst has one, renewed every month; what several "
            "learn together costs more."
        ),
        source=REAL_WORLD_USES,
    ),
)
