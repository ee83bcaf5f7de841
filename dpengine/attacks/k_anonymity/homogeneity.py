"""What k-anonymous rows give away all the same: crowds in which everybody has the same secret, or nearly so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from dpengine.attacks.k_anonymity.anonymity import Anonymized
from dpengine.attacks.k_anonymity.recoding import coarsened
from dpengine.attacks.k_anonymity.rows_at_hand import RowsAtHand, values_in
from dpengine.attacks.outcome import Outcome
from dpengine.data import Crowds
from dpengine.errors import InvalidParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposed:
    """Among the people of the published crowds: those whose value is certain, and those one fact away from it.

    `certain`: everybody in the crowd has the same value. `one_fact`: at most two values are in the crowd, so that
    whoever knows which of them a person does not have knows the one that they have. Nobody is certain without the
    table, so the baseline is 0. People of a crowd are exposed together, so they are no independent trials: these are
    full counts, to be shown without an interval.
    """

    certain: Outcome
    one_fact: Outcome

    @property
    def one_fact_away(self) -> int:
        """People with two values left, beside those whose value is certain."""
        return self.one_fact.successes - self.certain.successes


def exposed(published: Crowds) -> Exposed:
    """Count them; raises InvalidParameterError where nobody is published.

    Source: Machanavajjhala et al. 2007, section 2, homogeneity and background knowledge.
    """
    if not published.people:
        raise InvalidParameterError("published", 0, "at least one person")
    certain, one_fact = (_with_at_most(published, values) for values in (1, 2))
    return Exposed(
        certain=Outcome(successes=certain, trials=published.people, baseline=0.0),
        one_fact=Outcome(successes=one_fact, trials=published.people, baseline=0.0),
    )


def _with_at_most(published: Crowds, values: int) -> int:
    return sum(people * many for (people, found), many in published.combinations.items() if found <= values)


def people_by_values(published: Crowds) -> dict[int, int]:
    """How many people are in a crowd with so many different sensitive values."""
    found: Counter[int] = Counter()
    for (people, values), many in published.combinations.items():
        found[values] += people * many
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCrowd:
    """What the people of a crowd have in common, column by column, and how many have which sensitive value."""

    cells: tuple[str, ...]
    values: Mapping[str, int]

    @property
    def people(self) -> int:
        """How many they are."""
        return sum(self.values.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharpest:
    """The value that a crowd tells most about: its share among all and in this crowd, and how many rows that has."""

    value: str
    among_all: float
    in_crowd: float
    rows: int


def sharpest(rows: RowsAtHand, found: Anonymized, sensitive: str) -> Sharpest:
    """The largest rise of a value's share from all rows to the rows of one published crowd.

    An l-diverse crowd may still have one. Source: Li, Li, Venkatasubramanian 2007, section 3, skewness.
    """
    everybody = Counter(rows.cells(sensitive).tolist())
    total = sum(everybody.values())
    rises = [
        Sharpest(value=value, among_all=everybody[value] / total, in_crowd=many / crowd.people, rows=crowd.people)
        for crowd in published_crowds(rows, found, sensitive)
        for value, many in crowd.values.items()
    ]
    if not rises:
        raise InvalidParameterError("published", 0, "at least one person")
    return max(rises, key=lambda one: (one.in_crowd - one.among_all, one.rows, one.value))


def guessed(rows: RowsAtHand, found: Anonymized, sensitive: str) -> Outcome:
    """Name for each published row the value that is most frequent in its crowd.

    The baseline names the value that is most frequent among all of them.
    """
    crowds = published_crowds(rows, found, sensitive)
    everybody: Counter[str] = Counter()
    for crowd in crowds:
        everybody.update(crowd.values)
    total = sum(everybody.values())
    if not total:
        raise InvalidParameterError("published", 0, "at least one person")
    return Outcome(
        successes=sum(max(crowd.values.values()) for crowd in crowds),
        trials=total,
        baseline=max(everybody.values()) / total,
    )


def published_crowds(rows: RowsAtHand, found: Anonymized, sensitive: str) -> list[PublishedCrowd]:
    """The crowds that are published, of a table with one row a person."""
    if rows.identifier is not None:
        raise InvalidParameterError("identifier", rows.identifier, "None: values are counted by row")
    wanted, places = found.wanted, rows.places(found.columns)
    told = zip(*(coarsened(one, rows.cells(one.column)).tolist() for one in found.columns), strict=True)
    cells = dict(zip(places.tolist(), told, strict=True))
    every = enumerate(values_in(rows, places, sensitive))
    crowds = [PublishedCrowd(cells=cells[place], values=dict(values)) for place, values in every]
    return [one for one in crowds if one.people >= wanted.people and len(one.values) >= wanted.values]
