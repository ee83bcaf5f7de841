"""The README's commands are the ones that CI runs, and no file knows the machine it was written on."""

import re
import subprocess
from pathlib import Path

from tests.servers.server import ROOT

TEST_COMMAND = (
    "python -m pip install --upgrade pip && pip install --no-compile -r requirements-dev.txt && python -m tests"
)
RUN_COMMAND = "pip install -r requirements.txt && streamlit run app.py"
MACHINE_PATH = re.compile(r"(?<![\w.~/-])/(?:home|Users|root|work|opt|mnt)/\w")
README_LINES = 150
TEXT_FILES = {".py", ".toml", ".md", ".txt", ".yml", ".yaml", ".json", ".js", ".css", ".html", ".cfg", ""}


def test_ci_runs_the_test_command() -> None:
    assert TEST_COMMAND in text(ROOT / ".ci" / "run").splitlines()


def test_the_readme_has_both_commands() -> None:
    readme = text(ROOT / "README.md")
    assert lines_of_code(readme) >= {TEST_COMMAND, RUN_COMMAND}


def test_no_tracked_file_names_a_machine_path() -> None:
    found = [name for name in tracked_text_files() if MACHINE_PATH.search(text(ROOT / name))]
    assert found == []


def test_a_machine_path_is_seen() -> None:
    planted = "/" + "home/somebody/file"
    assert MACHINE_PATH.search(f"open('{planted}')")
    assert not MACHINE_PATH.search("https://example.org/home/page and #!/usr/bin/env")


def lines_of_code(markdown: str) -> set[str]:
    """Each line inside fenced blocks, without a prompt."""
    blocks = re.findall(r"```\w*\n(.*?)```", markdown, re.DOTALL)
    return {line.removeprefix("$ ").strip() for block in blocks for line in block.splitlines()}


def tracked_text_files() -> list[str]:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    return [
        name for name in names if Path(name).suffix in TEXT_FILES and Path(name) != Path(__file__).relative_to(ROOT)
    ]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_the_readme_is_short_and_every_link_leads_somewhere() -> None:
    assert len(text(ROOT / "README.md").splitlines()) <= README_LINES
    guides = [*ROOT.glob("*.md"), ROOT / "tests" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    assert {str(guide.relative_to(ROOT)): found for guide in guides if (found := lost(guide, text(guide)))} == {}
    assert lost(ROOT / "README.md", "[nowhere](docs/nowhere.md)") == ["docs/nowhere.md"]


def test_each_file_that_a_recipe_names_is_there() -> None:
    recipes = text(ROOT / "CONTRIBUTING.md")
    assert unknown(recipes) == []
    assert len(recipes.split("[silent]")) > 1
    assert unknown("`noise.py`, `pages/nowhere.py`, then `tests/unit/nothing`") == [
        "pages/nowhere.py",
        "tests/unit/nothing",
    ]


def unknown(recipes: str) -> list[str]:
    """The files and folders that stand in a code span, by the end of their path, and are not there."""
    spans = [span for code in re.findall(r"`([^`\n]+)`", recipes) for span in code.split()]
    named = [span for span in spans if re.fullmatch(r"(?!_)[\w./]+\.(py|js|css|html|md|toml)|tests/[\w./]+", span)]
    files = [f"/{name}" for name in tracked_text_files()]
    return [name for name in named if not any(file.endswith(f"/{name}") or f"/{name}/" in file for file in files)]


def lost(guide: Path, markdown: str) -> list[str]:
    """The files that a guide links to, and that are not there."""
    links = re.findall(r"\]\(([^)#\s]+)\)", markdown)
    return [link for link in links if "://" not in link and not (guide.parent / link).exists()]
