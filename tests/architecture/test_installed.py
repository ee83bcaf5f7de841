"""What is installed with `pip install .` has the files that it reads, the built-in tables among them."""

import tomllib
from pathlib import Path, PurePosixPath

from tests.servers.server import ROOT

DATA: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
    "package-data"
]


def left_behind(files: list[Path]) -> list[str]:
    """The files that no package says it brings along."""
    named = [f"{package.replace('.', '/')}/{pattern}" for package, patterns in DATA.items() for pattern in patterns]
    places = [PurePosixPath(file.relative_to(ROOT).as_posix()) for file in files]
    return [str(place) for place in places if not any(place.match(pattern) for pattern in named)]


def test_every_file_of_the_engine_that_is_no_code_is_brought_along() -> None:
    files = [path for path in (ROOT / "dpengine").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    kept = [path for path in files if path.suffix != ".py"]
    assert {path.name for path in kept} >= {"rand_hie.csv", "anes_1996.csv"}
    assert left_behind(kept) == []
    assert left_behind([ROOT / "dpengine/data/planted.csv"]) == ["dpengine/data/planted.csv"]
