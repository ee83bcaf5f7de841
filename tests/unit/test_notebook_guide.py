"""The examples of the guides do what their comments say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples() -> list[str]:
    guides = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("notebook.md", "hosting.md"))
    return re.findall(r"```python\n(.*?)```", guides, flags=re.DOTALL)


def said(example: str) -> list[str]:
    """What the comments beside the prints promise."""
    return re.findall(r"^print\(.*#\s*([0-9.]*[0-9])", example, flags=re.MULTILINE)


def printed(example: str, capsys: pytest.CaptureFixture[str], names: dict[str, object] | None = None) -> list[str]:
    """What the example prints; `names` are left as it leaves them, so that another can go on with them."""
    exec(compile(example, "notebook.md", "exec"), {} if names is None else names)  # noqa: S102  # the guide's own code
    return capsys.readouterr().out.split("\n")


def test_the_notebook_example_runs_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example, *_, goes_on = examples()
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = printed(example, capsys, names)
    assert said(example) == ["30.0", "5.756105519335752"]
    assert found[:2] == said(example)
    assert found[2].endswith("epsilon 2.9")
    assert len([line for line in example.splitlines() if line.strip()]) <= 16

    (both, _) = printed(goes_on, capsys, names)
    assert both.endswith("epsilon 0.2")
    assert str(names["label"]).startswith("<!DOCTYPE html>")


def test_three_published_numbers_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    _, example, *_ = examples()
    assert said(example) == ["1.098612289", "4.2246789", "11"]
    assert printed(example, capsys)[:3] == said(example)


def test_the_least_budget_of_a_list_is_what_the_guide_says(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, example, *_ = examples()
    assert said(example) == ["0.7866", "1.6", "7.5"]
    least, times, shares, total, _ = printed(example, capsys)
    assert [least, times, total] == said(example)
    assert sum(ast.literal_eval(shares)) <= 0.5


def test_a_promise_is_judged_as_the_guide_says(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, _, example, *_ = examples()
    assert said(example) == ["81.757", "444.78"]
    shown = printed(example, capsys)
    assert all(line.startswith(number) for line, number in zip(shown[:2], said(example), strict=True))
    assert shown[2].startswith("stated and weak A protected unit smaller than a person It protects a person's day.")
    assert [line for line in shown if line.startswith("What it states is weak on whom it protects, the size of ε")]
    assert shown[-2] == "Why is δ not far below 1 divided by the number of people? Can whole rows come out?"


def test_the_sql_example_reads_writes_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    *_, example, _ = examples()
    found = printed(example, capsys)
    assert found[0] == "('disease',) SELECT disease, count(*) FROM patients WHERE age >= 65 GROUP BY disease"
    assert "individual people" in found[1]
