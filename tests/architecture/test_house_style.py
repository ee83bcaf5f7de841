"""Names, lengths and habits that keep every room easy to find; each rule is shown to catch a planted case."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.architecture import rules
from tests.servers.server import ROOT, page_files

FILE_LINES, PAGE_LINES, FUNCTION_LINES, FOLDER_MODULES = 320, 60, 30, 20

ENGINE = sorted((ROOT / "dpengine").rglob("*.py"))
SCREENS = [*sorted((ROOT / "pages").rglob("*.py")), *ROOT.glob("app.py")]
PAGES = page_files()
FIGURES, SESSION = ROOT / "dpengine" / "charts", ROOT / "pages" / "session"
"""Each excused from one rule, with all that lies in it, and no other folder of that name."""
AROUND = [*sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]


def test_a_file_has_one_job() -> None:
    lengths = {shown(path): len(text(path).splitlines()) for path in (*ENGINE, *SCREENS, *AROUND)}
    assert above(lengths, FILE_LINES) == {}


def modules_of(paths: Iterable[Path]) -> Counter[str]:
    """How many modules each folder holds."""
    return Counter(shown(path.parent) for path in paths if path.stem not in ("__init__", "__main__"))


def test_a_folder_is_seen_at_a_glance() -> None:
    assert above(modules_of([*ENGINE, *SCREENS]), FOLDER_MODULES) == {}
    assert above(modules_of(Path(f"{ROOT}/wide/m{i}.py") for i in range(21)), FOLDER_MODULES) == {"wide": 21}


def test_a_page_is_short() -> None:
    lengths = {shown(path): rules.code_lines(text(path)) for path in PAGES}
    assert above(lengths, PAGE_LINES - 1) == {}


def test_a_function_is_short() -> None:
    """Figures may be longer: a figure is one literal."""
    short = [path for path in (*ENGINE, *SCREENS) if not path.is_relative_to(FIGURES)]
    assert len(short) < len(ENGINE) + len(SCREENS)
    lengths = {
        f"{shown(path)}:{name}": length
        for path in short
        for name, length in rules.function_lengths(text(path), over=FUNCTION_LINES).items()
    }
    assert lengths, "Some take more lines with their docstrings."
    assert above(lengths, FUNCTION_LINES) == {}


def test_a_page_is_named_once() -> None:
    names = Counter(path.parent.name for path in PAGES)
    assert above(names, 1) == {}, "A page's address is its file name, so two pages would share one address."


def test_a_class_is_named_once() -> None:
    names = Counter(name for path in (*ENGINE, *SCREENS) for name in rules.classes(text(path)))
    assert above(names, 1) == {}
    planted = Counter(rules.classes("class Step: ...\ndef f():\n    class Step: ...\nclass _Step: ..."))
    assert above(planted, 1) == {"Step": 2}


def test_module_names_say_something() -> None:
    paths = [path.relative_to(ROOT) for path in (*ENGINE, *SCREENS, *AROUND)]
    assert [str(path) for path in paths if rules.forbidden_module_names(path)] == []


def test_names_say_what_comes_back() -> None:
    assert broken(rules.forbidden_names, [*ENGINE, *SCREENS]) == {}


def test_the_engine_never_asserts() -> None:
    assert broken(rules.asserts, [*ENGINE, *SCREENS]) == {}


def test_no_error_is_swallowed_unnamed() -> None:
    assert broken(rules.bare_excepts, [*ENGINE, *SCREENS, *AROUND]) == {}


def test_only_one_room_touches_session_state() -> None:
    others = [path for path in SCREENS if not path.is_relative_to(SESSION)]
    assert len(others) < len(SCREENS)
    assert broken(rules.session_state, [*ENGINE, *others]) == {}


def test_nothing_asks_another_host() -> None:
    assert broken(rules.fetches, [*ENGINE, *SCREENS]) == {}


def test_no_number_box_fills_itself() -> None:
    """On a slow machine its browser sends the least number before it has learned what the box holds."""
    assert broken(rules.boxes_that_fill_themselves, SCREENS) == {}


def test_no_two_options_of_a_list_read_alike() -> None:
    """A browser sends the words of what was picked: of two that read alike, the last one is taken."""
    assert broken(rules.options_that_may_read_alike, SCREENS) == {}


SPENDING = {
    "dpengine/charts/attacks/averaging_charts.py",
    "dpengine/charts/budget/walk_charts.py",
    "dpengine/charts/rooms/room_charts.py",
    "pages/explore/release/refusal_panels.py",
    "pages/plan/budget_bar.py",
    "pages/question/pictures.py",
}
"""What draws a budget that is spent, or what naive composition says of it."""


def test_the_color_of_what_is_spent_means_nothing_else() -> None:
    colored = {shown(path) for path in (*ENGINE, *SCREENS) if re.search(r"(?:palette|colors)\S*\.spent\b", text(path))}
    assert colored == SPENDING


PLANTED = [
    (rules.forbidden_names, "def get_noise(): ..."),
    (rules.forbidden_names, "def _compute_noise(): ..."),
    (rules.forbidden_names, "async def make_noise(): ..."),
    (rules.forbidden_names, "def noise(sigma): ..."),
    (rules.forbidden_names, "eps = 1"),
    (rules.asserts, "def f(x):\n    assert x"),
    (rules.bare_excepts, "try:\n    f()\nexcept:\n    pass"),
    (rules.session_state, "import streamlit as st\nst.session_state['x'] = 1"),
    (rules.session_state, "from streamlit import session_state"),
    (rules.boxes_that_fill_themselves, "st.number_input('Of 100', min_value=0.1, key='x')"),
    (rules.boxes_that_fill_themselves, "place.number_input('Of 100', value=1.0)"),
    (rules.options_that_may_read_alike, "st.selectbox('Column', names, format_func=shown)"),
    (rules.options_that_may_read_alike, "st.pills('Who', ids, format_func=lambda one: names[one])"),
    (rules.fetches, "import requests"),
    (rules.fetches, "from urllib.request import urlopen"),
    (rules.fetches, "from urllib import request"),
    (rules.fetches, "st.map(rows)"),
    (rules.fetches, "st.Page('a.py', icon=':material/home:')"),
    (rules.fetches, "figure.to_html(include_plotlyjs='cdn')"),
    (rules.fetches, "st.image('https://example.org/a.png')"),
]

HARMLESS = [
    (rules.forbidden_names, "def target(): ...\nlayout = {'alpha': 1}"),
    (rules.bare_excepts, "try:\n    f()\nexcept ValueError:\n    pass"),
    (rules.session_state, "state = session.scenario()"),
    (rules.boxes_that_fill_themselves, "place.number_input('Of 100', value=None, min_value=0.1)"),
    (rules.options_that_may_read_alike, "st.selectbox('Column', names, format_func=apart(names, shown))"),
    (rules.options_that_may_read_alike, "st.radio('Noise', LABELS, format_func=LABELS.__getitem__)"),
    (rules.fetches, '"""See https://example.org."""\nst.markdown("[paper](https://example.org)")'),
    (rules.fetches, "address = 'http://127.0.0.1:8501'"),
    (rules.fetches, "st.button('Go', icon=':material/home:')\nfigure.to_html(include_plotlyjs=True)"),
]


def test_the_rule_sees_a_planted_case() -> None:
    for rule, source in PLANTED:
        assert rule(source), (rule, source)


def test_the_rule_lets_the_harmless_pass() -> None:
    for rule, source in HARMLESS:
        assert rule(source) == [], (rule, source)


def test_lengths_count_code_alone() -> None:
    source = '"""Doc\nstring."""\n\n# why\ndef f(\n    x,\n):\n    """Says it."""\n    return [\n        x,\n    ]\n'
    assert rules.code_lines(source) == 6
    assert rules.function_lengths(source) == rules.function_lengths(source, over=6) == {"f": 6}
    assert rules.function_lengths(source, over=7) == {}


def test_a_module_named_utils_is_seen() -> None:
    assert rules.forbidden_module_names(Path("dpengine/utils.py")) == ["utils"]
    assert rules.forbidden_module_names(Path("dpengine/core/noise.py")) == ["core"]


def above(lengths: dict[str, int], limit: int) -> dict[str, int]:
    return {name: length for name, length in lengths.items() if length > limit}


def broken(rule: Callable[[str], list[str]], paths: Iterable[Path]) -> dict[str, list[str]]:
    faults = {shown(path): rule(text(path)) for path in paths}
    return {path: found for path, found in faults.items() if found}


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
