"""Worn down: the answers to one count as they came, and how their average closes in on the exact number.

Beyond what was told, further answers are drawn as a server without a budget would give them: on tables whose rows are
public alone, since that needs the exact count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpengine.attacks.on_answers.averaged import Averaged
from dpengine.attacks.on_answers.counts import CountAsked, counts_in
from dpengine.attacks.on_answers.released_answers import Answers
from dpengine.data import Schema, Table
from dpengine.errors import RefusedQueryError, require_whole
from dpengine.losses.arrays import Array
from dpengine.privacy import Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WornDown:
    """Noisy counts in their order, and the average of the first so many of each; both (answers,), in people or rows.

    The first `told` were released, the others are drawn with the noise of the least noisy of these. `exact` is the
    public count, None where the rows are not.
    """

    values: Array
    averages: Array
    told: int
    exact: float | None

    def first(self, further: int) -> WornDown:
        """What was told, and so many of the further answers."""
        last = self.told + further
        return replace(self, values=self.values[:last], averages=self.averages[:last])


def worn_down(answers: Answers, one: Averaged, table: Table | None, *, further: int, seed: int) -> WornDown:
    """The answers to one count, and so many further ones; weighted by inverse variance, as their average is.

    `table` is the built-in one that was asked; without it, and for ranges that no condition spells, nothing is drawn.
    Source: Aitken 1935, for the weights.
    """
    require_whole("further", further, least=0)
    alike = next(found for found in counts_in(answers).alike if found.asked == one.asked)
    least = alike.counts[0].noise
    exact = None if table is None or one.asked.cell else _exact(one.asked, table, answers.schema, answers.neighbors)
    drawn = np.empty(0)
    if exact is not None:
        drawn = least.simulate(np.full(further, exact), np.random.default_rng(seed))
    as_told = sorted(alike.counts, key=lambda count: count.place)
    values = np.concatenate([[count.value for count in as_told], drawn])
    spreads = [count.noise.standard_deviation for count in as_told] + [least.standard_deviation] * len(drawn)
    precisions = 1.0 / np.square(np.maximum(spreads, 1e-140))
    averages = np.cumsum(precisions * values) / np.cumsum(precisions)
    return WornDown(values=values, averages=averages, told=len(as_told), exact=exact)


def _exact(asked: CountAsked, table: Table, schema: Schema, neighbors: Neighbors) -> float:
    if not table.built_in:
        raise RefusedQueryError("Only the rows of a built-in table are public: nobody draws from an exact count else.")
    of_people = asked.of_people and not schema.one_row_each
    query = (CountPeopleQuery if of_people else CountQuery)(where=asked.where)
    (part,) = query.parts(schema, neighbors)
    return float(part.exact(table.recall(part.aggregate))[0])
