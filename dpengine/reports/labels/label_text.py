"""A privacy label as plain text: for a mail, a terminal, a screen reader that is happier without tables."""

from __future__ import annotations

from dpengine.data import Labels
from dpengine.formatting import unit_after, upper_of_100
from dpengine.ledger import History
from dpengine.reports.labels.label import (
    BELIEFS,
    NOT_PROMISED,
    PRACTICE,
    PrivacyLabel,
    draws,
    label_of,
    of_answers,
    shown,
)
from dpengine.reports.noise import PartNoise
from dpengine.reports.quoting import as_text, printable


def privacy_label_text(history: History, *request_ids: str, labels: Labels | None = None) -> str:
    """The label of the answer to a request, or to several together, one fact a line; raises like `privacy_label`."""
    label = label_of(history, *request_ids, labels=labels)
    lines = [
        "PRIVACY FACTS",
        *([f"PRACTICE. {PRACTICE}"] if label.practice else []),
        f"Table: {printable(label.table_name)}",
        f"Question: {as_text(label.asked)}",
        *_answers(label),
        label.interval,
        f"Charged: {shown(label.charged, 'basic')} ({shown(label.charged, 'concentrated')})",
        *_odds(label),
        *(f"{name}: {as_text(text)}" for name, text in label.facts),
        *(_noise(label, one, times) for one, times in label.noise),
        NOT_PROMISED,
        f"Charged at: {label.released}",
        f"Request: {label.requests}",
        f"Ledger hash: {label.head}",
        f"Written by: {label.software}",
    ]
    return "\n".join(lines) + "\n"


def _noise(label: PrivacyLabel, one: PartNoise, times: int) -> str:
    return (
        f"Noise of the {one.part}{of_answers(label, times)}: {one.mechanism}, {one.kind} {one.scale_in_words}; "
        f"one person can change it by at most {one.moved_in_words}; {one.epsilon:f} of epsilon"
    )


def _answers(label: PrivacyLabel) -> list[str]:
    """Every number: a text has no page that would be too short for them."""
    unit = unit_after(label.unit)
    return [
        "Answer: "
        + (f"{printable(cell.label)}: " if cell.label else "")
        + f"{printable(cell.shown)}{unit}"
        + (f" ({cell.ends})" if cell.ends else "")
        for cell in label.cells
    ]


def _odds(label: PrivacyLabel) -> list[str]:
    odds, whole = label.odds, label.budget_odds
    of_one = (
        f"What an attacker may learn: from {draws(label)}, whatever the noise, an attacker who thinks it 50:50 whether "
        f"{BELIEFS[label.line.entry.neighbors]}, even knowing everybody else, can be right in at most "
        f"{upper_of_100(odds.with_data / 100)} out of 100 cases (50 is pure chance)"
    )
    return [of_one, f"Over the whole budget: at most {upper_of_100(whole.with_data / 100)} out of 100"]
