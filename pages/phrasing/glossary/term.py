"""One word of the glossary: what it means in one sentence, how pages say it, and where it is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of art and its one sentence; `shown_as` are the words by which pages say it, the term itself or plainer.

    `theme` is a key of THEMES.
    """

    name: str
    meaning: str
    theme: str
    shown_as: tuple[str, ...]

    def shown_in(self, text: str) -> bool:
        """Whether a text says it, capitals or not."""
        lowered = text.casefold()
        return any(words.casefold() in lowered for words in self.shown_as)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A group of terms, and the pages for everybody that show what they mean: `learn/definition`."""

    title: str
    pages: tuple[str, ...]


THEMES = {
    "promise": Theme(title="The promise", pages=("learn/definition", "learn/properties")),
    "noise": Theme(title="Noise", pages=("learn/mechanisms", "learn/randomized_response", "learn/truncation")),
    "error": Theme(title="How wrong an answer may be", pages=("learn/truncation", "learn/contributions")),
    "belief": Theme(title="What an attacker may believe", pages=("learn/definition", "attack/guessing")),
    "many": Theme(title="Many answers", pages=("learn/composition", "learn/properties")),
    "spending": Theme(title="Budgets and releases", pages=("explore/released", "explore/budgets")),
    "table": Theme(title="Tables and questions", pages=("learn/contributions", "learn/properties")),
    "attack": Theme(
        title="Attacks",
        pages=("attack/linkage", "attack/homogeneity", "attack/differencing", "attack/averaging"),
    ),
}
