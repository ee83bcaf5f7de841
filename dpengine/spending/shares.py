"""One total, shared out among questions: what moves moves the others, and every billionth stays accounted for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from dpengine.errors import InvalidParameterError, require_between, require_positive, require_whole
from dpengine.privacy import nanos_down
from dpengine.privacy.amounts import NANO

LEAST = 1000
"""Billionths of epsilon: a share is at least a millionth, which no picture shows less of."""


def moved(
    shares: Sequence[float], *, place: int, to: float, total: float, locked: Collection[int] = ()
) -> tuple[float, ...]:
    """The shares once one of them is what a person wants, and the unlocked others give or take in proportion.

    They sum to the total, in whole billionths. Raises InvalidParameterError where the others cannot make room.
    """
    amounts, wanted, whole = [nanos_down(share) for share in shares], nanos_down(to), _total(total)
    require_between("place", place, 0, len(shares) - 1)
    held = {other: amounts[other] for other in locked if other != place}
    free = [other for other in range(len(shares)) if other not in held and other != place]
    room = whole - sum(held.values()) - LEAST * len(free)
    _require_room(place, wanted, room, exactly=not free)
    rest = _spread(whole - sum(held.values()) - wanted, [amounts[other] for other in free])
    return _put_together(len(shares), held | {place: wanted} | dict(zip(free, rest, strict=True)))


def scaled(shares: Sequence[float], *, total: float, locked: Collection[int] = ()) -> tuple[float, ...]:
    """The shares of another total: locked ones stay, all others keep their proportions.

    They sum to the total, in whole billionths. Raises InvalidParameterError where the locked ones leave too little.
    """
    return _shared_out(shares, [nanos_down(share) for share in shares], total=total, locked=locked)


def equal(shares: Sequence[float], *, total: float, locked: Collection[int] = ()) -> tuple[float, ...]:
    """The same share for every question that is not locked; billionths that do not divide go to the first ones."""
    return _shared_out(shares, [1] * len(shares), total=total, locked=locked)


def sum_of(shares: Sequence[float]) -> float:
    """What shares add up to, in whole billionths."""
    return sum(map(nanos_down, shares)) / NANO


def _shared_out(
    shares: Sequence[float], weights: Sequence[int], *, total: float, locked: Collection[int]
) -> tuple[float, ...]:
    require_whole("number of shares", len(shares))
    whole, held = _total(total), {place: nanos_down(shares[place]) for place in locked}
    free = [place for place in range(len(shares)) if place not in held]
    left = whole - sum(held.values())
    if left < LEAST * len(free) or (not free and left):
        rule = f"{_read(whole - left)}, as all questions are locked" if not free else _above(whole - left, free)
        raise InvalidParameterError("The total", total, rule)
    return _put_together(len(shares), held | dict(zip(free, _spread(left, [weights[i] for i in free]), strict=True)))


def _above(held: int, free: Sequence[int]) -> str:
    return f"at least {_read(held + LEAST * len(free))}, of which {_read(held)} is locked"


def _require_room(place: int, wanted: int, room: int, *, exactly: bool) -> None:
    name = f"The share of question {place + 1}"
    if exactly and wanted != room:
        rule = f"{_read(room)}, since all others are locked: unlock one, or change the total"
        raise InvalidParameterError(name, wanted / NANO, rule)
    if not LEAST <= wanted <= room:
        rule = f"between {_read(LEAST)} and {_read(max(room, 0))}, which is what the total leaves it"
        raise InvalidParameterError(name, wanted / NANO, rule)


def _spread(total: int, weights: Sequence[int]) -> list[int]:
    """A total in proportion to the weights, whole, none below the least; what does not divide goes by remainders."""
    low: set[int] = set()
    weights = [max(weight, 1) for weight in weights]
    while True:
        left, all_weight = total - LEAST * len(low), sum(w for i, w in enumerate(weights) if i not in low)
        exact = [Fraction(LEAST) if i in low else Fraction(left * w, all_weight) for i, w in enumerate(weights)]
        below = {i for i, amount in enumerate(exact) if amount < LEAST}
        if not below:
            break
        low |= below
    whole = [int(amount) for amount in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for i in by_remainder[: total - sum(whole)]:
        whole[i] += 1
    return whole


def _total(total: float) -> int:
    require_positive("The total", total)
    return nanos_down(total)


def _put_together(count: int, amounts: dict[int, int]) -> tuple[float, ...]:
    return tuple(amounts[place] / NANO for place in range(count))


def _read(amount: int) -> str:
    text = f"{amount / NANO:,.9f}".rstrip("0")
    return text.rstrip(".")
