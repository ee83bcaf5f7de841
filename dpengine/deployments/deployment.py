"""One deployment: its epsilon, what that epsilon protects, and the page where it was read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpengine.errors import InvalidParameterError, require_between, require_one_of, require_positive, require_whole
from dpengine.privacy import Neighbors

MODELS = ("central", "local")
SCOPES = {
    "person": "All about one person or home",
    "period": "One person's hours, day or month",
    "act": "Single acts, or a single count",
}
"""How much of somebody one epsilon covers, widest first."""
LONGEST_SHORT = 24
_FIRST_YEAR = 2006
_PLACE = re.compile(r"[a-z0-9.-]+\.[a-z]{2,}/[\w./:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """A page that states the number: its title, who publishes it, and its place on the web, without "https://"."""

    title: str
    publisher: str
    place: str

    def __post_init__(self) -> None:
        _require_words("title", self.title)
        _require_words("publisher", self.publisher)
        if not _PLACE.fullmatch(self.place):
            raise InvalidParameterError("place", self.place, "a host and a path, such as arxiv.org/abs/2009.01265")

    @property
    def address(self) -> str:
        """The whole address; nothing here ever asks for it."""
        return f"https://{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """What somebody really ran: epsilon and delta of one `span` ("one release", "each day") for one `unit`.

    `unit` says who or what cannot be told apart, with its article, and `scope` how much of somebody that is. `short` is
    a label of at most 24 characters. `neighbors` is None where the source does not say it; in the local model any two
    inputs are compared, which is REPLACE_ONE. `year` is the year of the deployment.
    """

    name: str
    short: str
    by: str
    year: int
    epsilon: float
    unit: str
    scope: str
    span: str
    source: SourcePage
    model: str = "central"
    neighbors: Neighbors | None = None
    delta: float = 0.0
    note: str = ""

    def __post_init__(self) -> None:
        for field in ("name", "short", "by", "unit", "span"):
            _require_words(field, getattr(self, field))
        if len(self.short) > LONGEST_SHORT:
            raise InvalidParameterError("short", self.short, f"at most {LONGEST_SHORT} characters")
        require_whole("year", self.year, least=_FIRST_YEAR)
        require_positive("epsilon", self.epsilon)
        require_between("delta", self.delta, 0.0, 1.0, open_at="upper")
        require_one_of("model", self.model, MODELS)
        require_one_of("scope", self.scope, tuple(SCOPES))

    @property
    def is_local(self) -> bool:
        """Whether noise is added on each person's own device, before anybody collects anything."""
        return self.model == "local"


def _require_words(name: str, text: str) -> None:
    if not text or text != text.strip():
        raise InvalidParameterError(name, text, "some words, without spaces around them")
