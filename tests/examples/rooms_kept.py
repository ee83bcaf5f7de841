"""Records of workshop rooms to keep: one as it mostly is, one of everything at its most, one with harmful names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np

from dpengine.data import Labels
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, GroupedCountQuery, MeanQuery, ModeQuery
from dpengine.reports import (
    AskedInRoom,
    AttackOnRoom,
    CheckOfARoom,
    GuessesOfARoom,
    JudgedInRoom,
    RoomRecord,
    SpentInRoom,
    VotesOfARound,
)
from tests.examples.drawn import planned_as, released
from tests.examples.told import ILL, IN_A, SCHEMA

REFUSED = "The question asks for epsilon 0.5, and epsilon 0.1 is left. Nothing was charged."
PEOPLE = ("Grace", "Ada's friend", "Zuse")


def votes(*epsilons: float) -> VotesOfARound:
    lower, middle, upper = np.exp(np.quantile(np.log(epsilons), (0.25, 0.5, 0.75)))
    return VotesOfARound(epsilons=epsilons, median=float(middle), lower=float(lower), upper=float(upper))


def answered(query: Any, *noisy: list[int], epsilon: float = 0.5, who: str = "") -> AskedInRoom:
    planned = planned_as(query, epsilon)
    return AskedInRoom(planned=planned, release=released(planned, list(noisy), schema=SCHEMA), who=who)


def record(**other: Any) -> RoomRecord:
    """A room as most are, or with other values."""
    usual: dict[str, Any] = {
        "title": "Health data for the city council",
        "began": datetime(2026, 3, 4, 13, 5, tzinfo=UTC),
        "expires": datetime(2026, 3, 11, 13, 5, tzinfo=UTC),
        "table_name": "people",
        "practice": True,
        "person": "One person: each row is a different person.",
        "labels": Labels(),
        "neighbors": Neighbors.ADD_REMOVE,
        "granted": Guarantee(epsilon=2.0),
        "rule": "basic",
        "spent": Amounts(epsilon=1_900_000_000),
        "cap": 0.7,
        "rounds": (votes(0.1, 0.2, 0.5, 0.5, 1.0, 8.0), votes(0.4, 0.5, 0.5, 0.6, 1.0)),
        "chosen": 0.5,
        "asked": (
            answered(CountQuery(ILL), [1234], who=PEOPLE[0]),
            answered(GroupedCountQuery("town"), [10, 200, 3000], who=PEOPLE[1]),
            answered(MeanQuery("age"), [2**14 * -3_000], [500], who=PEOPLE[2]),
            answered(ModeQuery("town"), [1], epsilon=0.4),
            AskedInRoom(planned=planned_as(CountQuery(IN_A), 0.5), refused=REFUSED, who=PEOPLE[0]),
        ),
        "guesses": (GuessesOfARoom(epsilon=1.0, guesses=40, wins=27, chance=0.5, bound=0.731058578630005),),
        "checks": (
            CheckOfARoom(
                question="What does a smaller epsilon give?",
                answers=("More privacy", "More accuracy", "Both"),
                given=(9, 2, 1),
                right=0,
            ),
        ),
        "spending": (
            SpentInRoom(naive=0.5, advanced=0.5),
            SpentInRoom(naive=1.0, advanced=0.9),
            SpentInRoom(naive=1.5, advanced=1.3),
            SpentInRoom(naive=1.9, advanced=1.7),
            SpentInRoom(naive=1.9, advanced=1.7, refused=True),
        ),
        "attacks": (
            AttackOnRoom(
                title="About any one person: from 50 to at most 87 out of 100",
                protected="They may give it at most 87 out of 100 now.",
                bare="They subtract everybody else, and are certain: 100 out of 100.",
            ),
        ),
        "plan": '{"version": 1}',
        "active": min(2, len(other.get("people", PEOPLE))),
        "head": "ab12" * 16,
        "link": "http://192.168.1.7:8501/budget?scenario=abc_DEF-123",
        "people": PEOPLE,
    }
    return RoomRecord(**{**usual, **other})


def judged(*texts: str) -> JudgedInRoom:
    """A promise that a room judged, with these texts of somebody else."""
    name, by = (*texts, "How people move", "Somebody")[:2]
    return JudgedInRoom(
        promise=name,
        by=by,
        stated=(("How large", "ε 2, δ 0"), ("For whom", "a person's day")),
        finding="After one year, ε is at most 730 for one person",
        why="By the rule that adds up, it is from ε 661.1 to 730, with δ 10⁻⁶.",
        figures=(("one release", "2", "88.1"), ("one year", "730", "100")),
        assumed=("Each release has new noise.",),
        answers=(
            CheckOfARoom(question="After one year?", answers=("ε 2", "ε 730"), given=(5, 3), right=1),
            CheckOfARoom(question="Accept it?", answers=("yes", "no"), given=(2, 6), right=None),
        ),
    )


def longest() -> RoomRecord:
    """Many votes, many questions, long texts."""
    rng = np.random.default_rng(4)
    many = [answered(CountQuery(ILL), [int(value)], who="P " * 40) for value in rng.integers(0, 10**6, 120)]
    waiting = AskedInRoom(planned=planned_as(CountQuery(ILL), 0.5), who="W" * 80)
    return record(
        title="T " * 100,
        rounds=tuple(votes(*np.exp(rng.normal(0.0, 1.5, 200)).tolist()) for _ in range(2)),
        asked=(*many, waiting),
        checks=tuple(
            CheckOfARoom(question="Q " * 90, answers=("A " * 60, "B", "C"), given=(0, 0, 0), right=1) for _ in range(3)
        ),
        people=tuple("W" * 58 + f"{number:02}" for number in range(50)),
        link="https://example.org/" + "x" * 3000,
    )


def hostile(names: tuple[str, ...]) -> RoomRecord:
    """Every text that somebody else chose, as these names."""
    first, second, *_ = names
    asked = tuple(
        AskedInRoom(planned=planned_as(CountQuery(ILL), 0.5), refused=f"{name} {REFUSED}", who=name) for name in names
    )
    return record(
        title=first,
        table_name=second,
        person=first,
        head=second,
        asked=asked,
        people=names,
        judged=judged(first, second),
        checks=(CheckOfARoom(question=first, answers=names, given=(1,) * len(names), right=0),),
        link='https://example.org/"><script>window.alive=1</script>',
    )
