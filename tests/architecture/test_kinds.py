"""Whatever speaks of kinds of questions or noises refuses one that it does not know: no kind is taken for another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {"query", "mechanism"}
"""What the first argument of a table by kind of question, or of noise, is called."""


def tables(root: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every table by kind of question or noise: its place and its default."""
    for package in ("dpengine", "pages"):
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and _is_by_kind(node):
                    yield f"{path.relative_to(root)}: {node.name}", node


def _is_by_kind(node: ast.FunctionDef) -> bool:
    dispatched = any(ast.unparse(mark) == "singledispatch" for mark in node.decorator_list)
    return dispatched and bool(node.args.args) and node.args.args[0].arg in KINDS


def refuses(default: ast.FunctionDef) -> bool:
    """Whether a table's default does nothing but raise."""
    rows = [row for row in default.body if not (isinstance(row, ast.Expr) and isinstance(row.value, ast.Constant))]
    return len(rows) == 1 and isinstance(rows[0], ast.Raise)


def test_no_table_of_kinds_has_a_quiet_default() -> None:
    found = dict(tables(ROOT))
    assert len(found) > 8, "the tables are found"
    assert [place for place, default in found.items() if not refuses(default)] == []


def test_a_quiet_default_is_found(tmp_path: Path) -> None:
    """The control."""
    for package in ("dpengine", "pages"):
        (tmp_path / package).mkdir()
    quiet = '@singledispatch\ndef words(query):\n    """In words."""\n    return \'count\'\n'
    (tmp_path / "dpengine" / "one.py").write_text(quiet + quiet.replace("return 'count'", "raise TypeError(query)"))
    assert [refuses(default) for _, default in tables(tmp_path)] == [False, True]
