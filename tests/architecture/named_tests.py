"""Whether a test that a list or a page names is there."""

from __future__ import annotations

import ast

from tests.servers.server import ROOT


def is_there(named: str) -> bool:
    """Whether `tests/folder/test_file.py::test_name`, or with its class between, is a test of ours."""
    path, *names = named.split("::")
    file = ROOT / path
    if not (path.startswith("tests/") and file.is_file() and names and names[-1].startswith("test_")):
        return False
    within: list[ast.stmt] = ast.parse(file.read_text(encoding="utf-8")).body
    for name in names:
        found = [one for one in within if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == name]
        within = [inner for one in found for inner in one.body]
    return bool(within)
