"""Every word of art that pages use, one sentence each, in themes that lead to the pages which show them."""

from collections.abc import Mapping

from pages.phrasing.glossary import attacks, noises, promises, sums
from pages.phrasing.glossary.on_pages import WORDS
from pages.phrasing.glossary.term import THEMES, Term, Theme

TERMS: Mapping[str, Term] = {
    term.name: term
    for group in (
        promises.PROMISE,
        noises.NOISE,
        noises.ERROR,
        promises.BELIEF,
        sums.MANY,
        sums.SPENDING,
        sums.TABLE,
        attacks.ATTACK,
    )
    for term in group
}
"""By name, theme by theme."""


def found(search: str) -> tuple[Term, ...]:
    """The terms in which all words of a search occur, in name or sentence; all of them for an empty search."""
    wanted = search.casefold().split()
    return tuple(
        term
        for term in TERMS.values()
        if all(word in f"{term.name} {term.meaning} {' '.join(term.shown_as)}".casefold() for word in wanted)
    )


__all__ = ["TERMS", "THEMES", "WORDS", "Term", "Theme", "found"]
