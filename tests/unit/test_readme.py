"""The README's notebook example does what its comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def test_the_notebook_example_runs_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102  # the README's own code
    printed = capsys.readouterr().out.split("\n")
    said = re.findall(r"^print\(.*#\s*([0-9.]+[0-9])", example, flags=re.MULTILINE)
    assert said == ["30.0", "5.756105519335732"]
    assert printed[:2] == said
    assert printed[2].endswith("epsilon 2.9")
    assert len([line for line in example.splitlines() if line.strip()]) <= 16
