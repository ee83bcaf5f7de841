"""What was asked of a room's budget, each question once: how often, for how much, and what came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpengine.formatting import amount, measure_of
from dpengine.ledger import Release
from dpengine.queries.conditions_in_words import Labeled
from dpengine.queries.sensitivity.sentences import plural
from dpengine.reports.answers import cells_of
from dpengine.reports.quoting import LONGEST_SENTENCE, cut, one_line, whole
from dpengine.reports.room_records.room_record import AskedInRoom, RoomRecord

MOST_ANSWERS = 12


def grouped(record: RoomRecord) -> Iterator[dict[str, str]]:
    """A sentence for each different question, in the order in which they were first asked."""
    alike: dict[object, list[AskedInRoom]] = {}
    for one in record.asked:
        alike.setdefault(one.planned, []).append(one)
    words = Labeled(record.labels, names=whole, words=one_line)
    for asked in alike.values():
        said = cut(asked[0].planned.query.in_words(words), LONGEST_SENTENCE)
        epsilon = amount(asked[0].planned.guarantee.epsilon, 9)
        yield {"question": f"{said[:1].upper()}{said[1:]}?", "came": f"{_times(asked)} at ε {epsilon}{_answers(asked)}"}


def _times(asked: Sequence[AskedInRoom]) -> str:
    refused = sum(bool(one.refused) for one in asked)
    if len(asked) == 1:
        return "Asked once, refused" if refused else "Asked once"
    return f"Asked {plural(len(asked), 'time')}" + (f", refused {plural(refused, 'time')}" if refused else "")


def _answers(asked: Sequence[AskedInRoom]) -> str:
    """The numbers that came back, where each answer is one; tables of numbers stand below."""
    told = [cells_of(release.estimate, measure_of(release.query, release.schema).times) for release in _released(asked)]
    if not told or any(len(cells) > 1 for cells in told):
        return "."
    more = f" and {len(told) - MOST_ANSWERS:,} more" if len(told) > MOST_ANSWERS else ""
    return f": {', '.join(one_line(cells[0].shown) for cells in told[:MOST_ANSWERS])}{more}."


def _released(asked: Sequence[AskedInRoom]) -> list[Release]:
    return [one.release for one in asked if one.release is not None]
