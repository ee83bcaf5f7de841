"""The words of the tables that come with the project."""

from __future__ import annotations

from collections.abc import Mapping

from dpengine.data.declared.conditions import Comparison, Condition
from dpengine.data.declared.labels import ColumnLabel, Labels, Phrase
from dpengine.data.samples.patients import DISEASES


def _labels(table: str, columns: Mapping[str, str], phrases: Mapping[Condition, str]) -> Labels:
    return Labels(
        table=table,
        columns=tuple(ColumnLabel(name, words) for name, words in columns.items()),
        phrases=tuple(Phrase(condition, words) for condition, words in phrases.items()),
    )


LABELS: Mapping[str, Labels] = {
    "rand_hie": _labels(
        "Health insurance study",
        {
            "person": "person number",
            "year": "year of the study",
            "age": "age",
            "female": "sex (yes: female)",
            "income": "yearly income in dollars",
            "education_years": "years of education",
            "coinsurance_percent": "own share of costs in per cent",
            "doctor_visits": "doctor visits",
            "hospital_stays": "hospital stays",
            "medical_dollars": "yearly medical bill in dollars",
            "chronic_disease_index": "index of chronic disease",
            "mental_health_index": "index of mental health",
            "self_rated_health": "self-rated health",
        },
        {
            Comparison("hospital_stays", ">", 0): "were in hospital at least once",
            Comparison("doctor_visits", ">", 0): "saw a doctor",
            Comparison("female", "=", value=True): "are women",
            Comparison("female", "=", value=False): "are men",
            Comparison("self_rated_health", "=", "poor"): "call their health poor",
        },
    ),
    "anes_1996": _labels(
        "Voters of 1996",
        {
            "age": "age",
            "education": "education",
            "income_thousand_dollars": "income in thousand dollars",
            "party": "party",
            "tv_news_days": "days a week with TV news",
            "expected_vote": "expected vote",
        },
        {
            Comparison("expected_vote", "=", "clinton"): "expected to vote for Clinton",
            Comparison("expected_vote", "=", "dole"): "expected to vote for Dole",
        },
    ),
    "patients": _labels(
        "Invented hospital",
        {
            "name": "name",
            "zip": "zip code",
            "date_of_birth": "date of birth",
            "sex": "sex",
            "age": "age",
            "race": "race",
            "disease": "disease",
            "admission": "day of admission",
        },
        {Comparison("disease", "=", one): f"had {one if one != 'none' else 'no disease'}" for one in DISEASES},
    ),
}
