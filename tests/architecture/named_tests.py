"""Whether a test that a list or a page names is there."""

from __future__ import annotations

import ast

from tests.servers.server import ROOT


def is_there(named: str) -> bool:
    """Whether `tests/folder/test_file.py::test_name` is a test of ours."""
    path, _, name = named.partition("::")
    file = ROOT / path
    if not (path.startswith("tests/") and name.startswith("test_") and file.is_file()):
        return False
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.parse(file.read_text()).body)
