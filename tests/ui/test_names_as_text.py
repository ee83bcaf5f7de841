"""Whatever a name holds, nothing of it ends what stands around it, or begins something of its own."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.seen_text import drawn, read_alike
from pages.widgets.escaping import code, plain, unmarked, whole
from tests.running.cases import each

BRACKET = re.compile(r"(?<!\\)[\[\]]")
NAMES = st.text(st.sampled_from("ab`[]()\\*_: ") | st.characters(), max_size=30)


@given(NAMES)
def test_no_bracket_of_a_name_counts(name: str) -> None:
    """A color is written as :gray[...]: the first bracket that counts ends it, inside a code span, too."""
    for written in (code(name), whole(name)):
        assert not BRACKET.search(written)


@given(NAMES)
def test_a_name_in_brackets_is_read_whole(name: str) -> None:
    shown = drawn(name).replace("`", "'").replace("“", "““").replace("”", "””")
    if "[" in shown and not re.search(r"www|@|:", shown):
        assert plain(whole(name)) == f"“{shown}”"


@given(NAMES, NAMES)
@example("a\\-b", "a-b")
def test_what_reads_apart_is_written_apart(one: str, other: str) -> None:
    """What a page leaves out or replaces is what is compared when somebody declares names and values."""
    if read_alike([one, other], capitals_count=True) is None:
        assert plain(whole(one)) != plain(whole(other))


@each(
    ("typed", "becomes"),
    [(":material/home:", ":material_home:"), ("pre -> post", "pre → post"), ("a] -- b", "a] — b")],
)
def test_no_name_is_written_as_another_sign(typed: str, becomes: str) -> None:
    """Streamlit writes icons anew in code spans, and arrows and dashes between blanks elsewhere."""
    alive = re.compile(r":material/|(?<!\S)(?:->|--)(?!\S)")
    assert alive.search(typed), "The control: as it was typed it becomes another."
    assert read_alike([typed, becomes]) is None
    for written in (unmarked(typed), *([whole(typed)] if "]" in typed or ":" in typed else [])):
        assert not alive.search(written.replace("\\", ""))


def test_the_control_a_code_span_alone_lets_brackets_count() -> None:
    assert BRACKET.search("`a] [x](y)`")
    assert not BRACKET.search(code("age"))
