"""The list of words that are gone finds each of them, and leaves what is said instead."""

from __future__ import annotations

from tests.running.cases import each
from tests.running.voice import RETIRED, retired

GONE = (
    "at most 52.5 of 100 such answers",
    "so many of 100 answers",
    "at most **73.1** out of 100, which is rounded down: any attacker may reach more",
    "the noise is 0.71 % of the answer",
    "the rest is left out, by lot",
    "Whoever knows the others",
    "Ask so many times",
    "a dear question",
    "the ways of adding up",
    "only adding costs more",
    "advanced adding costs less",
    "the basic rule decides",
    "a person there or not",
    "one row exchanged",
    "nobody more 73.2",
    "the best attacker of all",
    "128 secret bits",
    "hidden, as far as epsilon says",
    "Words on this page",
    "counts by your plan's rule",
    "not who was asked",
    "Hold this total",
    "Try another day",
    "Advanced, sound",
    "Exact loss of this noise",
    "by one person's width",
    "more like the last one: 27 fit",
    "Ask the whole list this often",
    "It speaks for you being in",
    "the chance that the promise fails",
    "rule: basic",
    "unbounded differential privacy",
    "one person moves it by at most 5",
)


def test_each_word_that_is_gone_is_found() -> None:
    assert [len(retired(said)) >= 1 for said in GONE] == [True] * len(GONE)
    assert len(GONE) == len(RETIRED), "One sentence for each."


@each(
    "said",
    [
        "can be right in at most **52.5 out of 100** cases",
        "95% of answers",
        "One of 100 rows, drawn at random",
        "naive: epsilons are just added up",
        "dropped at random",
        "the best possible attacker",
        "Glossary for this page",
        "Also called: basic composition.",
        "Also called: add/remove, unbounded.",
        "The second cut moves its own way",
    ],
)
def test_what_is_said_instead_stays(said: str) -> None:
    assert retired(said) == []
