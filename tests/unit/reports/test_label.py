"""The label: one page that stands alone, tells what was promised, and holds nothing but text where names stand."""

import math
import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpengine
from dpengine.errors import InvalidParameterError
from dpengine.ledger import History
from dpengine.privacy import Neighbors
from dpengine.release import release
from dpengine.reports import privacy_label, privacy_label_text
from tests.kept import HOSTILE, history_of, hostile_schema, one_of_everything
from tests.ledgers import asking, ledger_at, opened, people
from tests.server import ROOT

VOID = {"meta", "circle", "rect", "path"}
FETCHING = {"src", "href", "xlink:href", "srcset", "action", "data", "poster", "background"}
NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")), min_size=1, max_size=80
).map(str.strip)
TAME = ("person", "amount", "color", "red", "green", "blue", "grey")


class Seen(HTMLParser):
    """Tags in their order, attributes, texts, and whether everything that was opened was closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open, self.style = [], [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    @property
    def alive(self):
        """What could run or fetch something."""
        tags = [tag for tag in self.tags if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "a")]
        attributes = [name for _, name, _ in self.attributes if name in FETCHING or name.startswith("on")]
        return tags + attributes + re.findall(r"url\(|@import|expression", self.style)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module", params=["basic", "concentrated"])
def kept(request, tmp_path_factory):
    _, account = one_of_everything(tmp_path_factory.mktemp("kept"), rule=request.param)
    return History.of(account)


def test_every_kind_of_answer_has_a_page_that_stands_alone(kept):
    for line in kept.lines[:-1]:
        seen = Seen(privacy_label(kept, line.entry.request_id))
        assert seen.alive == []
        assert seen.open == []
        assert ("html", "lang", "en") in seen.attributes
        assert seen.tags.count("h1") == 1
        scopes = [value for tag, name, value in seen.attributes if (tag, name) == ("th", "scope")]
        assert len(scopes) == seen.tags.count("th") > 0
        assert set(scopes) <= {"row", "col"}
        for words in (line.entry.head, line.entry.request_id, "Epsilon Explorer " + dpengine.__version__):
            assert words in seen.text
        assert line.entry.time.strftime("%Y-%m-%d %H:%M:%S UTC") in seen.text
        assert "at most 4 rows that count" in seen.text
        assert "add or remove one person" in seen.text
        assert "PRACTICE" not in seen.text


def test_the_control_what_could_run_or_fetch_is_seen():
    for planted in ("<script>1</script>", "<img src='x'>", "<p onclick='x'>", "<style>a{background:url(x)}</style>"):
        assert Seen(planted).alive


def test_a_charge_without_an_answer_has_no_label(kept):
    for written in (privacy_label, privacy_label_text):
        with pytest.raises(InvalidParameterError, match="answered"):
            written(kept, "never answered")
        with pytest.raises(InvalidParameterError, match="request_id"):
            written(kept, "nobody asked")


def test_the_budget_is_that_of_the_moment(kept):
    before, after = (Seen(privacy_label(kept, name)).text for name in ("request 0", "gaussian"))
    assert "ε 20, δ 0.000001" in before
    assert "ε 30" not in before
    assert "ε 30, δ 0.000002" in after
    assert "agreed by the board" in after
    assert "agreed by the board" not in before


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_odds_are_the_closed_form_rounded_away_from_privacy(tmp_path, epsilon):
    table = people()
    account = opened(ledger_at(tmp_path / "b.db"), table, epsilon=5.0)
    release(asking(epsilon), table, account, request_id="one")
    text = Seen(privacy_label(History.of(account), "one")).text
    most, least = 100 / (1 + math.exp(-epsilon)), 100 / (1 + math.exp(epsilon))
    (shown_most,) = re.findall(r"at most ([\d.]+) if so", text)
    (shown_least,) = re.findall(r"at least ([\d.]+) if not", text)
    assert most <= float(shown_most) < most + 0.1
    assert least - 0.1 < float(shown_least) <= least
    dots = [
        value
        for tag, name, value in Seen(privacy_label(History.of(account), "one")).attributes
        if tag == "circle" and name == "fill"
    ]
    filled = [value != "none" for value in dots]
    assert (sum(filled[:100]), sum(filled[100:])) == (math.ceil(float(shown_most)), math.floor(float(shown_least)))


def test_a_built_in_table_is_practice_and_replacement_has_its_own_words():
    history = history_of(hostile_schema(TAME), practice=True)
    assert "PRACTICE" in Seen(privacy_label(history, "0")).text
    assert privacy_label_text(history, "0").splitlines()[1].startswith("PRACTICE. ")
    terms = replace(history.terms, neighbors=Neighbors.REPLACE_ONE, people=40)
    lines = tuple(
        replace(
            line,
            entry=replace(line.entry, neighbors=Neighbors.REPLACE_ONE, schema=replace(line.entry.schema, people=40)),
        )
        for line in history.lines[1:3]
    )
    replaced = Seen(privacy_label(replace(history, terms=terms, lines=lines), "1")).text
    assert "replace one person" in replaced
    assert "The number of people is public: 40" in replaced
    assert "these and not those" in replaced


def test_hostile_names_are_text_and_change_no_tag():
    """The page of harmless names has the same tags in the same order."""
    for request in ("0", "1", "2"):
        tame = Seen(privacy_label(history_of(hostile_schema(TAME)), request))
        hostile = Seen(privacy_label(history_of(hostile_schema(), reason=HOSTILE[0]), request))
        assert hostile.tags == tame.tags
        assert hostile.alive == []
        assert "<script>" in hostile.text


@settings(max_examples=60, deadline=None)
@given(
    st.lists(NAMES.filter(lambda name: name and name.isprintable()), min_size=7, max_size=7, unique_by=str.casefold),
    st.text(max_size=50).map(lambda text: "".join(filter(str.isprintable, text)).strip() or "x"),
)
def test_any_names_at_all_leave_the_tags_alone(names, reason):
    tame = Seen(privacy_label(history_of(hostile_schema(TAME)), "1"))
    seen = Seen(privacy_label(history_of(hostile_schema(tuple(names)), reason=reason), "1"))
    assert seen.tags == tame.tags
    assert seen.alive == []


def test_signs_that_turn_the_reading_direction_are_gone():
    names = ("a\u202ebc", "n\u2066b", "c", "d\u202ee", "f\x02g", "h\x03i", "k\nl")
    schema = hostile_schema(tuple(name if place > 2 else "plain " + str(place) for place, name in enumerate(names)))
    page = privacy_label(history_of(schema), "1")
    assert not set(page) & set("\u202e\u2066\x02\x03")
    assert "fg" in page
    assert page.count("<code>") == page.count("</code>")


def test_many_numbers_are_cut_on_the_page_and_whole_in_the_text():
    names = (*TAME[:3], *(f"value {number}" for number in range(40)))
    history = history_of(hostile_schema(names))
    seen = Seen(privacy_label(history, "1")).text
    assert "value 15" in seen
    assert "value 16" not in seen
    assert "And 24 more, which are in the history." in seen
    assert "value 39" in privacy_label_text(history, "1")


def test_the_text_says_what_the_page_says(kept):
    for line in kept.lines[:-1]:
        text = privacy_label_text(kept, line.entry.request_id)
        for words in (line.entry.head, "Who is protected", "Against what", "Budget", "Not promised"):
            assert words in text
        assert not set(text) & set("\x02\x03")


def test_one_version_is_told_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == dpengine.__version__


def test_the_columns_of_the_question_are_those_that_were_declared():
    history = history_of(hostile_schema(TAME))
    text = Seen(privacy_label(history, "0")).text
    assert "from -5 to 5 color; what lies beyond counts as the bound" in text
    assert "one of 4 listed values" in text
    assert "counts as the bound" not in Seen(privacy_label(history, "1")).text
