"""The promise in hand: one that was read, or one that is typed; what a sentence refuses stays as it was typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from dpengine.deployments import SourcePage
from dpengine.errors import InvalidParameterError, ScenarioError
from dpengine.promises import Handling, Promise
from dpengine.promises.recorded import RECORDED, Recorded
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.promise_fields import FIELDS
from pages import session

KEY, TYPED = "promise", "Type a promise"
CHOICE = f"{KEY}_choice"
FIRST = "Google vaccine searches"
BY_NAME: Mapping[str, Recorded] = {one.in_full: one for one in RECORDED.values()}
"""What was read of each deployment, by the name under which it is chosen."""
_EMPTY = Promise(name="", by="")
_KEPT = tuple(one.name for one in fields(Handling))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What was chosen, what stands in its form, and the promise that this makes, or the field and why it makes none."""

    choice: str
    read: Recorded | None
    answers: Mapping[str, object]
    promise: Promise | None
    field: str = ""
    why: str = ""

    @property
    def pages(self) -> Mapping[str, SourcePage]:
        """Where its fields were read; none for a promise that is typed."""
        return self.read.pages if self.read else {}

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields that do not hold what was read."""
        before = answers_of(self.read.promise) if self.read else {}
        return tuple(name for name, value in before.items() if self.answers[name] != value)


def choices() -> list[str]:
    """What there is to choose."""
    return [TYPED, *BY_NAME]


def first() -> str:
    """What is in hand before anything is chosen."""
    return next(name for name, one in BY_NAME.items() if one.deployment.short == FIRST)


def answers_of(promise: Promise) -> dict[str, object]:
    """What a promise says, by the names of its fields and of those of its handling."""
    own = {one.name: getattr(promise, one.name) for one in fields(promise) if one.name != "handling"}
    return own | {name: getattr(promise.handling, name) for name in _KEPT}


def taken(choice: str) -> Hand:
    """What is in hand under this choice, computed and kept for other pages where it makes sense."""
    read = BY_NAME.get(choice)
    answers = answers_of(read.promise if read else _EMPTY) | changes(choice)
    try:
        promise = _made(answers)
        figures.rows(promise)
    except InvalidParameterError as error:
        return Hand(choice=choice, read=read, answers=answers, promise=None, field=error.name, why=_sentence(error))
    session.keep_promise(promise)
    return Hand(choice=choice, read=read, answers=answers, promise=promise)


def changes(choice: str) -> dict[str, object]:
    """What was typed under a choice, by field."""
    held = session.remembered(f"{KEY}_typed_{choice}", None)
    return dict(held) if isinstance(held, Mapping) else {}


def change(choice: str, field: str, value: object) -> None:
    """Keep one answer as it was typed, sound or not."""
    session.remember(f"{KEY}_typed_{choice}", changes(choice) | {field: value})


def edition(choice: str) -> int:
    """How often what was typed under a choice has been replaced as a whole: boxes of another edition start anew."""
    return int(str(session.remembered(f"{KEY}_edition_{choice}", 0)))


def replace_changes(choice: str, answers: Mapping[str, object]) -> None:
    """Put other answers in the place of all that was typed under a choice."""
    session.remember(f"{KEY}_edition_{choice}", edition(choice) + 1)
    session.remember(f"{KEY}_typed_{choice}", dict(answers))


def take_from_address() -> str:
    """Take what a link brought in hand; the sentence that says why not, empty where nothing is wrong."""
    try:
        promise = session.promise_that_came()
    except ScenarioError as error:
        return str(error)
    if promise is not None:
        take(promise)
    return ""


def take(promise: Promise) -> None:
    """Have a promise in hand, as the deployment that it is or as typed."""
    known = (name for name, one in BY_NAME.items() if one.promise == promise)
    choice = next(known, TYPED)
    replace_changes(choice, answers_of(promise) if choice == TYPED else {})
    session.set_widget(CHOICE, choice)


def _made(answers: Mapping[str, object]) -> Promise:
    for name, one in FIELDS.items():
        if answers[name] is None:
            raise InvalidParameterError(name, None, "a number, or another answer")
        if one.whole and isinstance(answers[name], float) and float(str(answers[name])).is_integer():
            answers = {**answers, name: int(float(str(answers[name])))}
    kept = Handling(**{name: answers[name] for name in _KEPT})  # type: ignore[arg-type]
    own = {name: value for name, value in answers.items() if name not in _KEPT}
    return Promise(**own | {"name": answers["name"] or "A promise", "handling": kept})  # type: ignore[arg-type]


def _sentence(error: InvalidParameterError) -> str:
    """The refusal with the question's own words in the place of the field's name."""
    known = FIELDS.get(error.name)
    if error.value is None:
        return f"{known.question if known else error.name}: type {error.rule}."
    found = str(error)
    if known is None:
        return found
    short = known.short if len(known.short) == 1 else known.short[0].upper() + known.short[1:]
    return f"{short}{found.removeprefix(error.name)}"
