"""One thing has one name on the screens: what the reader's words list has replaced stands in no sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

_REPLACED = re.compile(r"\(basic\)|\bbasic rule\b|\bunder basic\b")
ROOT = Path(__file__).parents[2]
_SHOWN = ("pages", "dpengine/ledger", "dpengine/reports")


def replaced_words(source: str) -> list[str]:
    """Every text of a module, its docstrings apart, that calls the naive rule by another name."""
    nodes = list(ast.walk(ast.parse(source)))
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    docs = {ast.get_docstring(node, clean=False) for node in nodes if isinstance(node, documented)}
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    return [text for text in texts if isinstance(text, str) and text not in docs and _REPLACED.search(text)]


def test_the_naive_rule_has_one_name() -> None:
    files = [file for folder in _SHOWN for file in sorted((ROOT / folder).rglob("*.py"))]
    assert files
    assert {file.name: found for file in files if (found := replaced_words(file.read_text()))} == {}


def test_another_name_is_seen() -> None:
    assert replaced_words('shown = "epsilons add up (basic)"') == ["epsilons add up (basic)"]
    assert replaced_words('"""Under the basic rule."""\n"a basic example"') == []
