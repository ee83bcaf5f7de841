"""How a step of a lesson speaks: what a person reads before anything is unfolded, and the part that is folded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, Expander

from pages.widgets.computed import HOW

MOST_IN_A_TITLE = 12
FORMULA = re.compile(r"\$|\\frac|e\^|e⁻|\bln |\bln\(|√|σ|\\sigma|Theorem|\bet al\.|NP-hard|[A-Z][a-z]+ (?:19|20)\d\d\b")
"""What stands behind the switch alone: LaTeX, powers and roots, theorems, authors with their year."""


def how(page: AppTest) -> list[Expander]:
    """The switch "How is this computed?" of a step."""
    return [fold for fold in page.main.expander if fold.label == HOW]


def running(page: AppTest) -> str:
    """All that is read in a step without its switch."""
    folded = [id(element) for fold in how(page) for element in _inside(fold)]
    return "\n".join(
        str(element.value)
        for element in _inside(page.main)
        if id(element) not in folded and element.type in {"markdown", "caption", "title", "info", "success", "error"}
    )


def assert_it_reads_well(page: AppTest) -> None:
    """A title of few words, and no formula in the text, however good its reasons."""
    title = short_title(page)
    found = FORMULA.search(running(page))
    assert found is None, (title, found, running(page))


def short_title(page: AppTest) -> str:
    """The finding, in few words."""
    title = str(page.title[0].value)
    assert len(title.split()) <= MOST_IN_A_TITLE, title
    return title


def _inside(block: Block) -> Iterator[Element]:
    for child in block.children.values():
        if isinstance(child, Block):
            yield from _inside(child)
        else:
            yield child
