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
from dpengine.beliefs import odds_out_of_100
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.ledger import History, combined
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, MeanQuery, ModeQuery, ProportionQuery
from dpengine.release import release
from dpengine.reports import privacy_label, privacy_label_text
from dpengine.reports.labels.label import label_of
from tests.examples.kept import HOSTILE, history_of, hostile_schema, one_of_everything, visits
from tests.examples.ledgers import asking, ledger_at, opened, people
from tests.running.voice import retired
from tests.servers.server import ROOT

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
        text = " ".join(" ".join(self.texts).split())
        assert retired("".join(self.texts)) == []
        return text


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
        assert "At most 4 rows count" in seen.text
        assert "one person added or removed" in seen.text
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
    assert "ε 20, δ 10⁻⁶" in before
    assert "ε 30" not in before
    assert "ε 30, δ 2·10⁻⁶" in after
    assert "agreed by the board" in after
    assert "agreed by the board" not in before


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_odds_are_the_closed_form_rounded_away_from_privacy(tmp_path, epsilon):
    table = people()
    account = opened(ledger_at(tmp_path / "b.db"), table, epsilon=5.0)
    release(asking(epsilon), table, account, request_id="one")
    text = Seen(privacy_label(History.of(account), "one")).text
    most = 100 / (1 + math.exp(-epsilon))
    (shown_most,) = re.findall(r"at most ([\d.]+) out of 100 cases", text)
    assert most <= float(shown_most) < most + 0.1
    dots = [
        value
        for tag, name, value in Seen(privacy_label(History.of(account), "one")).attributes
        if tag == "circle" and name == "fill"
    ]
    filled = [value != "none" for value in dots]
    assert (len(filled), sum(filled)) == (100, math.ceil(float(shown_most)))


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
    assert "one person replaced" in replaced
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


@settings(max_examples=25, deadline=None)
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
    assert "f\ufffdg" in page
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


def test_a_share_is_written_in_per_cent(kept):
    (share,) = [line for line in kept.lines[:-1] if isinstance(line.entry.planned_query.query, ProportionQuery)]
    estimate, request = share.release.estimate, share.entry.request_id
    (read,) = re.findall(r"Answer: ([\d.]+)% of rows \(([\d.]+) to ([\d.]+)\)", privacy_label_text(kept, request))
    exact = [100 * float(number) for number in (estimate.answer, *estimate.interval(0.95))]
    assert list(map(float, read)) == pytest.approx(exact, abs=1.0)
    assert f"{read[0]}<small>% of rows</small>" in "".join(privacy_label(kept, request).split("\n"))


def test_one_version_is_told_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == dpengine.__version__


def test_the_columns_of_the_question_are_those_that_were_declared():
    history = history_of(hostile_schema(TAME))
    text = Seen(privacy_label(history, "0")).text
    assert "from -5 to 5 color; values beyond count as the bound" in text
    assert "one of 4 listed values" in text
    assert "counts as the bound" not in Seen(privacy_label(history, "1")).text


@pytest.fixture(params=["basic", "concentrated"])
def asked_three_times(request, tmp_path):
    """A mean at three epsilons, once with Gaussian noise, and a count between them; the account with its table."""
    table = visits()
    account = opened(ledger_at(tmp_path / "three.db"), table, epsilon=20.0, delta=1e-6, rule=request.param)
    mean = MeanQuery("age")
    noisy = PlannedQuery(query=mean, guarantee=Guarantee(epsilon=1, delta=1e-7), mechanism="gaussian")
    for name, planned in (
        *(("first", asking(0.5, mean)), ("other", asking(0.25, CountPeopleQuery()))),
        *(("second", asking(0.7, mean)), ("third", noisy)),
    ):
        release(planned, table, account, request_id=name)
    return History.of(account)


def test_several_answers_have_one_label_with_what_all_of_them_cost(asked_three_times):
    history, names = asked_three_times, ("third", "first", "second")
    label = label_of(history, *names)
    whole = combined([history.line(name).release for name in ("first", "second", "third")])
    lower, upper = whole.interval(0.95)
    (cell,) = label.cells
    assert (cell.value, cell.lower, cell.upper) == (whole.answer, lower, upper)
    assert label.charged == whole.charge.amounts
    assert (label.charged.epsilon, label.charged.delta) == (2_200_000_000, 10**11)
    assert label.odds == odds_out_of_100(Guarantee(epsilon=2.2, delta=1e-7))
    assert label.line == history.line("third")
    assert sum(times for _, times in label.noise) == 3 * len(whole.releases[0].parts)
    seen, text = Seen(privacy_label(history, *names)).text, privacy_label_text(history, *names)
    for words in (
        "3, each counting by how exact it is",
        "This holds if it was decided beforehand how often to ask.",
        "then read only the newest answer",
        "first, second, third",
        cell.shown,
        *cell.ends.split(" to "),
    ):
        assert words in seen
        assert words in text
    assert "of 3 released answers, combined, about the table" in seen
    assert "these 3 answers" in seen
    assert "these 3 answers, whatever the noise" in text
    spent = "ε 0.25" if label.rule == "basic" else "ρ 0.03125"
    assert f"spent on other answers {spent}" in seen
    assert "(ε 0.5), " in text


def test_only_answers_about_a_public_table_are_about_the_same_rows_for_certain(asked_three_times):
    """An account does not keep whether its table is read by its path or address, where rows may come and go."""
    history, changed = asked_three_times, "may have changed between the answers"
    practice = replace(history, terms=replace(history.terms, practice=True))
    for label in (privacy_label, privacy_label_text):
        assert changed in label(history, "first", "second")
        assert changed not in label(history, "first")
        assert changed not in label(practice, "first", "second")


def test_the_label_of_one_answer_named_twice_is_that_of_one(asked_three_times):
    once = privacy_label(asked_three_times, "first")
    assert privacy_label(asked_three_times, "first", "first") == once
    assert "Answers combined" not in once


def test_what_cannot_be_combined_has_no_label_together(asked_three_times, kept):
    with pytest.raises(InvalidParameterError, match="same question"):
        privacy_label(asked_three_times, "first", "other")
    with pytest.raises(InvalidParameterError, match="answered"):
        privacy_label(kept, "request 0", "never answered")
    with pytest.raises(InvalidParameterError, match="answered"):
        privacy_label(kept)


def test_choices_have_no_label_together(tmp_path):
    table = visits()
    account = opened(ledger_at(tmp_path / "choices.db"), table, epsilon=20.0)
    for name in ("one", "two"):
        release(asking(1.0, ModeQuery("color")), table, account, request_id=name)
    with pytest.raises(RefusedQueryError, match="cannot be combined"):
        privacy_label(History.of(account), "one", "two")
    assert privacy_label(History.of(account), "two")


def test_many_noises_are_cut_on_the_page_and_whole_in_the_text(tmp_path):
    table = visits()
    account = opened(ledger_at(tmp_path / "many.db"), table, epsilon=20.0)
    names = [f"answer {number}" for number in range(7)]
    for number, name in enumerate(names):
        release(asking(0.1 + number / 100, CountPeopleQuery()), table, account, request_id=name)
    history = History.of(account)
    seen = Seen(privacy_label(history, *names)).text
    assert "And 4 more noises, which are in the history." in seen
    assert "and 3 more." in seen
    assert privacy_label_text(history, *names).count("Noise of the") == 7
