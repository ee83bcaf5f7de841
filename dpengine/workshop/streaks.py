"""Rows of wins: how likely luck alone makes one as long."""

from __future__ import annotations

from dpengine.errors import require_between, require_whole


def chance_of_row(length: int, *, among: int, chance: float) -> float:
    """How likely a row of so many wins or more stands somewhere among so many rounds, each won with this chance.

    Adds, round by round, that the first such row ends there; exact but for rounding in the last digits.
    Source: Feller 1968, XIII.7.

    >>> chance_of_row(2, among=3, chance=0.5), chance_of_row(5, among=4, chance=0.9)
    (0.375, 0.0)
    """
    require_whole("length", length, least=0)
    require_whole("rounds", among, least=0)
    require_between("chance", chance, 0.0, 1.0)
    if length == 0:
        return 1.0
    row = chance**length
    found = [0.0] * min(length, among + 1)
    for ends in range(length, among + 1):
        before = found[ends - length - 1] if ends > length else 0.0
        first = row if ends == length else (1.0 - chance) * row * (1.0 - before)
        found.append(found[-1] + first)
    return min(found[-1], 1.0)
