"""Whatever a name holds, nothing of it ends what stands around it, or begins something of its own."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pages.widgets.escaping import code, plain, whole

BRACKET = re.compile(r"(?<!\\)[\[\]]")
NAMES = st.text(st.sampled_from("ab`[]()\\*_: ") | st.characters(), max_size=30)


@given(NAMES)
def test_no_bracket_of_a_name_counts(name: str) -> None:
    """A color is written as :gray[...]: the first bracket that counts ends it, inside a code span, too."""
    for written in (code(name), whole(name)):
        assert not BRACKET.search(written)


@given(NAMES)
def test_a_name_in_brackets_is_read_whole(name: str) -> None:
    shown = "".join(sign for sign in name if sign.isprintable()).replace("`", "'")
    if "[" in shown and not re.search(r"www|@|:", shown):
        assert plain(whole(name)) == shown


def test_the_control_a_code_span_alone_lets_brackets_count() -> None:
    assert BRACKET.search("`a] [x](y)`")
    assert not BRACKET.search(code("age"))
