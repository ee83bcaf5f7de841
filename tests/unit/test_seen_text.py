"""Texts that people take for one another, and those that are told apart although they look much alike."""

from __future__ import annotations

from dpengine.seen_text import read_alike, spelled
from tests.running.cases import each


@each(
    "pair",
    [
        ("smoker", "smoker\ufe0f"),
        ("age", "\u0430ge"),
        ("told ill", "told  ill"),
        ("told ill", "told\u00a0ill"),
        ("x`", "x'"),
        ("zo\u00eb", "zoe\u0308"),
        ("same", "same"),
        ("\ufe0f", "\u2800"),
    ],
)
def test_what_reads_alike_is_found_among_others(pair: tuple[str, str]) -> None:
    one, other = pair
    for capitals_count in (False, True):
        assert read_alike(["first", one, "second", other], capitals_count=capitals_count) == pair


@each("texts", [("x1", "xl"), ("O", "0"), ("rn", "m"), ("\u00e4", "a"), ("\u0430", "\u0431"), ("a b", "ab"), ()])
def test_what_differs_to_the_eye_is_no_pair(texts: tuple[str, ...]) -> None:
    assert read_alike(texts) is None


@each(("one", "other"), [("age", "AGE"), ("\u00e4", "\u00c4")])
def test_capitals_differ_where_they_count(one: str, other: str) -> None:
    assert read_alike([one, other], capitals_count=True) is None
    assert read_alike([one, other]) == (one, other)


def test_many_that_look_alike_are_soon_compared() -> None:
    many = [f"{'l' if place & 1 else '1'}{'0' if place & 2 else 'O'}{place}" for place in range(20_000)]
    assert read_alike(many) is None
    assert read_alike([*many, "\u043e"], capitals_count=True) is None
    assert read_alike([*many, f"{many[7]}\ufe0f"]) == (many[7], f"{many[7]}\ufe0f")


_READ_AS_ANNA = ["Anna", "Anna\u200b", "A\u00adnna", "\u0410nna", "Ann\u0430", "\u0391nna", "\uff21nna", "Anna\ufe0f"]
_BESIDE_NO_PLAIN_SIGN = ["Anna Kjær", "\u0410nna Kjær", "Ann\u03b1 Kjær"]
_OTHER_FORMS = ["5 \u00b5g", "5 \u03bcg", "\u212b", "\u00c5", "\u03ac", "\u1f71"]
_WHOLLY_ANOTHER = ["Pop", "\u0420\u043e\u0440", "\u03a1\u03bf\u03c1"]


@each(
    "texts",
    [
        _READ_AS_ANNA,
        _BESIDE_NO_PLAIN_SIGN,
        _OTHER_FORMS,
        _WHOLLY_ANOTHER,
        ["a b", "a\u00a0b", "a  b", "a\u2003b"],
        ["a b", "a\tb", "a\nb", "a\rb", "a\x1fb"],
        ["Ay\u015fe", "Ay\u0219e"],
        ["Ann\u0103", "Ann\u01ce"],
        ["Ann\u0101", "Anna\u0305"],
        ["a\x7f", "a\ufffd", "a\x00"],
        ["Zo\u00eb", "Zoe\u0308", "Zo\u0451"],
        ["\u0435\u043b", "e\u043b"],
        ["1 \u00d7 2", "1 x 2", "10\u00b2", "102"],
    ],
)
def test_texts_that_read_alike_are_spelled_apart(texts: list[str]) -> None:
    """The control: as they stand, they do read alike."""
    assert read_alike(texts, capitals_count=True)
    assert read_alike([spelled(text) for text in texts], capitals_count=True) is None


@each("text", ["Zoë Łódź", "straße", "日本", "naïve café", "x < 1_000"])
def test_what_nobody_mistakes_stays_as_it_is(text: str) -> None:
    assert spelled(text) == text


def test_a_text_that_is_spelled_like_a_name_given_here_is_no_such_name() -> None:
    assert spelled("Anna⟨U+200B⟩") != spelled("Anna\u200b")
    assert spelled("Anna\u3008U+200B\u3009").startswith("Anna\u3008⟨U+3008⟩")
