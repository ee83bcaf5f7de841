"""Each function that draws a chart stands among the examples that are held to the contract."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.servers.server import ROOT

CHARTS, EXAMPLES = ROOT / "dpengine" / "charts", Path(__file__).parent


def drawn(source: str) -> list[str]:
    """The public functions of a module that give a chart, or several."""
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.returns]
    return [one.name for one in functions if one.name[0] != "_" and "Chart" in ast.unparse(one.returns or one)]


def test_each_chart_is_held_to_the_contract() -> None:
    examples = "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.py"))
    found = [(path.stem, name) for path in CHARTS.rglob("*_charts.py") for name in drawn(path.read_text("utf-8"))]
    assert len(found) > 50
    assert [one for one in found if not re.search(rf"\b{one[0]}\.{one[1]}\b", examples)] == []


def test_a_new_chart_is_seen() -> None:
    public = "def bars(x: float) -> Chart: ...\ndef both() -> tuple[Chart, Chart]: ..."
    assert drawn(f"{public}\ndef _own() -> Chart: ...\ndef bound() -> int: ...") == ["bars", "both"]
