"""The templates of the documents: what somebody else chose is never taken for HTML, and nothing is left out unseen."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError, nodes

from dpengine.reports.templates import FOLDER, document, environment
from tests.running.cases import each

TEMPLATES = sorted(FOLDER.rglob("*.html"))
STYLES = sorted(FOLDER.rglob("*.css"))
FILTERS = {"as_html", "one_line"}
"""The first escapes what it takes; what the second gives is escaped where it is written."""


def trusted(template: str) -> list[str]:
    """Where a template takes a value for HTML: by a filter, a switch, or an attribute without quotes."""
    tree = environment().parse(template)
    filters = [one.name for one in tree.find_all(nodes.Filter) if one.name not in FILTERS]
    switches = ["autoescape" for _ in tree.find_all(nodes.ScopedEvalContextModifier)]
    return [*filters, *switches, *re.findall(r"=\s*\{\{", template)]


def pictures_of_others(code: str) -> list[str]:
    """What a module hands over as a picture that no module of pictures drew."""
    tree = ast.parse(code)
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module]
    drawn = {name.name for one in imports if str(one.module).endswith("_pictures") for name in one.names}
    handed = [one.args[0] for one in ast.walk(tree) if isinstance(one, ast.Call) and ast.unparse(one.func) == "picture"]
    return [ast.unparse(one) for one in handed if not (isinstance(one, ast.Call) and ast.unparse(one.func) in drawn)]


def test_no_template_takes_a_value_for_html() -> None:
    assert {path.name for path in TEMPLATES} >= {"page.html", "label.html", "room_record.html", "brief.html"}
    assert {path.name: found for path in TEMPLATES if (found := trusted(path.read_text(encoding="utf-8")))} == {}


@each(
    "planted",
    [
        "<p>{{ name | safe }}</p>",
        "{% filter safe %}{{ name }}{% endfilter %}",
        "{% autoescape false %}{{ name }}{% endautoescape %}",
        "<p title={{ name }}>",
    ],
)
def test_a_planted_trust_is_seen(planted: str) -> None:
    assert trusted(planted)
    assert not trusted('<p title="{{ name }}">{{ name | one_line }}, {{ name | as_html }}</p>')


def test_a_style_writes_colors_alone() -> None:
    """What is escaped for HTML may still mean something in CSS."""
    written = [found for path in STYLES for found in re.findall(r"\{\{(.*?)\}\}", path.read_text(encoding="utf-8"))]
    assert len(written) > 20
    assert all(re.fullmatch(r" ink\.\w+ ", found) for found in written)


def test_only_what_a_module_of_pictures_drew_is_handed_over_as_one() -> None:
    modules = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*_page.py")}
    assert sum(code.count("picture(") for code in modules.values()) > 5
    assert {name: found for name, code in modules.items() if (found := pictures_of_others(code))} == {}
    assert pictures_of_others("from a.b_pictures import dots\npicture(dots(3))\npicture(name)") == ["name"]


def test_a_value_is_escaped_and_one_that_is_missing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text('<p title="{{ name }}">{{ name }}</p>', encoding="utf-8")
    template = environment(tmp_path).get_template("one.html")
    written = "&lt;b&gt;&amp;&#34;&#39;"
    assert template.render(name="<b>&\"'") == f'<p title="{written}">{written}</p>'
    with pytest.raises(UndefinedError, match="'name' is undefined"):
        template.render(other="x")
    with pytest.raises(UndefinedError, match="is undefined"):
        document("labels/label.html", title="A label of nothing")
