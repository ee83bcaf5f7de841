"""What a privacy label shows of an answer, on one page of HTML that stands alone; its template says how."""

from __future__ import annotations

from dpengine.data import Labels
from dpengine.formatting import at_most, billionths, tiny_at_most, unit_after, upper_of_100
from dpengine.ledger import Charge, History
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.reports.answers import SAYS_NOTHING, Cell
from dpengine.reports.labels.label import BELIEFS, PRACTICE, PrivacyLabel, draws, label_of, of_answers, shown
from dpengine.reports.labels.label_pictures import INK, at_most_dots, budget_bar, dots, interval_line
from dpengine.reports.noise import PartNoise
from dpengine.reports.quoting import LONGEST_UNIT, as_text, one_line
from dpengine.reports.templates import document, picture

MOST_CELLS, MOST_WIDE, WIDE, FEW, ROOMY = 16, 6, 30, 4, 6
MOST_TOGETHER, MOST_NOISES = 8, 3
LONG, LONG_AMOUNT, LONGEST_FOOT = 12, 7, 80


def privacy_label(history: History, *request_ids: str, labels: Labels | None = None) -> str:
    """The label of the answer to a request, or of the answers to several as one.

    Raises InvalidParameterError while one has no answer, and where they are of different questions; RefusedQueryError
    for several choices.
    """
    label = label_of(history, *request_ids, labels=labels)
    alone, says_nothing = label.answers == 1, label.interval.startswith(SAYS_NOTHING)
    return document(
        "labels/label.html",
        title=f"Privacy facts: {as_text(label.asked)}",
        dense=len(label.cells) > ROOMY or len(label.facts) + len(label.noise) > ROOMY,
        label=label,
        released="one released answer" if alone else f"{label.answers} released answers, combined,",
        practice=PRACTICE,
        answer=_single(label) if len(label.cells) == 1 else _many(label),
        warning=SAYS_NOTHING if says_nothing else "",
        interval=label.interval.removeprefix(SAYS_NOTHING),
        cost=_cost(label),
        odds=_odds(label),
        noise=_noise(label),
        signature=_signature(label),
    )


def _single(label: PrivacyLabel) -> dict[str, object]:
    (cell,) = label.cells
    return {
        "columns": None,
        "name": one_line(cell.label) if cell.label else None,
        "shown": cell.shown,
        "long": len(cell.shown) > LONG,
        "unit": unit_after(one_line(label.unit, LONGEST_UNIT)),
        "ends": cell.ends.split(" to ") if cell.ends else (),
        "interval": picture(interval_line(cell)),
    }


def _many(label: PrivacyLabel) -> dict[str, object]:
    """The first numbers, in two columns where they are narrow enough; what is left out is said."""
    wide = max(len(cell.shown) + len(cell.ends) for cell in label.cells) > WIDE
    alone = label.answers == 1
    cells = label.cells[: MOST_WIDE if wide else MOST_CELLS if alone else MOST_TOGETHER]
    half = (len(cells) + 1) // 2
    columns: list[tuple[Cell, ...]] = [cells] if wide or len(cells) <= FEW else [cells[:half], cells[half:]]
    missing = len(label.cells) - len(cells)
    # A history holds released numbers, not those that were made of several.
    elsewhere = "which are in the history" if alone else "for which this page has no room"
    return {
        "columns": columns,
        "unit": one_line(label.unit, LONGEST_UNIT),
        "more": f"And {missing:,} more, {elsewhere}." if missing else "",
    }


def _cost(label: PrivacyLabel) -> dict[str, object]:
    charged, alone = Charge(rule=label.rule, amounts=label.charged), label.answers == 1
    amounts = (
        ("ε, epsilon", billionths(charged.epsilon)),
        ("δ, delta", tiny_at_most(charged.delta, 4)),
        ("ρ, rho", at_most(charged.rho, 4)),
    )
    pieces = (
        ("before", "spent before" if alone else "spent on other answers", label.charged.left_of(label.line.spent)),
        ("this", "this answer" if alone else f"these {label.answers} answers", label.charged),
        ("left", "left afterwards", label.line.left),
    )
    return {
        "amounts": amounts,
        "long": max(len(value) for _, value in amounts) > LONG_AMOUNT,
        "bar": picture(budget_bar(label)),
        "pieces": tuple((key, name, shown(value, label.rule)) for key, name, value in pieces),
    }


def _odds(label: PrivacyLabel) -> dict[str, object]:
    """The worst case over every attacker, for one answer as dots, for the whole budget in a sentence."""
    odds, whole = label.odds, label.budget_odds
    most = upper_of_100(odds.with_data / 100)
    return {
        "meaning": (
            f"From {draws(label)}, whatever the noise, an attacker who thinks it 50:50 whether "
            f"{BELIEFS[label.line.entry.neighbors]}, even knowing everybody else, can be right in"
        ),
        "most": most,
        "dots": picture(dots(at_most_dots(odds.with_data), INK.attacker, f"at most {most} out of 100")),
        "budget": (
            f"Over the whole budget, {shown(label.line.granted, 'basic')}: at most "
            f"{upper_of_100(whole.with_data / 100)} out of 100 (50 is pure chance)."
        ),
    }


def _noise(label: PrivacyLabel) -> dict[str, object]:
    brackets = "" if label.answers == 1 else "; in brackets: how many answers had it"
    missing = len(label.noise) - MOST_NOISES
    more = f"And {plural(missing, 'more noise')}, which {agreeing(missing, 'are')} in the history."
    return {
        "caption": f"Exact whole numbers, and exact noise from the OpenDP library{brackets}",
        "parts": [_noise_row(label, one, times) for one, times in label.noise[:MOST_NOISES]],
        "more": more if missing > 0 else "",
    }


def _noise_row(label: PrivacyLabel, one: PartNoise, times: int) -> tuple[str, ...]:
    part, size = f"{one.part}{of_answers(label, times)}", f"{one.kind} {one.scale_in_words}"
    return part, one.mechanism, size, one.moved_in_words, f"{one.epsilon:f}"


def _signature(label: PrivacyLabel) -> tuple[tuple[str, str], ...]:
    """What the label can be told by."""
    rows = (
        ("Charged", label.released),
        ("Request" if label.answers == 1 else "Requests", label.requests),
        ("Ledger hash", label.head),
        ("Written by", label.software),
    )
    return tuple((name, one_line(text, LONGEST_FOOT)) for name, text in rows)
