"""Which files a path, a folder or a pattern names: each once, and none that is hidden or not finished yet."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from dpengine.errors import IntakeError

LAKEHOUSE = (
    "Which of these files count stands in a log {} (of Delta Lake, Iceberg, Hudi or another kind), which is not read "
    "here, and files that were put away would count as well: have the rows written as plain Parquet."
)
PATTERN = frozenset("*?[")
LOGS = (
    *("_delta_log", ".hoodie", "_spark_metadata", "metadata/*.metadata.json", "manifest/manifest-*"),
    *("_started_*", "_committed_*"),
)
"""Where Delta Lake, Hudi, a stream of Spark, Iceberg, Paimon and Databricks keep theirs."""
_OF_A_LOG = re.compile(r"ducklake-.*|\d{5}-\d+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}.*")
"""Names that DuckLake and Iceberg give to their files, whose logs may lie elsewhere."""


def place_at(path: str) -> str:
    """The path without detours, or the pattern; raises IntakeError where it leads through a link.

    A link is another way to write the same place, and may lead to other files tomorrow: each would be a fresh budget.
    """
    place = Path(os.path.normpath("/" + path.lstrip("/")))
    if os.path.realpath(fixed := _before_a_pattern(place)) != str(fixed):
        raise IntakeError(
            "A part of this path is a link. It may lead to other files tomorrow, and these would have a budget of "
            "their own: write the path without links (realpath tells it)."
        )
    return str(place)


def files_named(path: str) -> list[str]:
    """One file, those below a folder that end with .parquet, or those of a pattern; sorted, and each once.

    A link beside its file would count everybody's rows twice. Names that begin with . or _ are those of snapshots and
    of what a writer has not finished; Spark does not read them either.
    """
    place = Path(place_at(path))
    if place.is_file():
        return [str(place)]
    found = place.rglob("*.parquet") if place.is_dir() else Path("/").glob(str(place.relative_to("/")))
    fixed = place if place.is_dir() else _before_a_pattern(place)
    files = sorted(file for file in found if file.is_file() and not _is_hidden(file.relative_to(fixed)))
    _require_no_log(files)
    real = {_content(file): str(file) for file in reversed(files) if os.path.realpath(file) == str(file)}
    for file in files:
        if _content(file) not in real:
            raise IntakeError(f"{file.name!r} is a link that leads elsewhere: give the address of what it leads to.")
    return sorted(real.values())


def _require_no_log(files: Collection[Path]) -> None:
    """Refuse the files of a lakehouse: one person's change writes a file anew, and leaves the old one beside it."""
    for folder in {parent for file in files for parent in file.parents}:
        if any(next(folder.glob(log), None) for log in LOGS):
            raise IntakeError(LAKEHOUSE.format(f"in {folder.name or 'their folder'!r}"))
    require_plain_names(file.name for file in files)


def require_plain_names(names: Iterable[str]) -> None:
    """Refuse files that are named as for a table whose log lies elsewhere."""
    if any(map(_OF_A_LOG.fullmatch, names)):
        raise IntakeError(LAKEHOUSE.format("somewhere else, as their names tell,"))


def folders_named(path: str, files: Iterable[str]) -> list[str]:
    """The folders through which these files are reached from the place that a path names, and that one's own.

    Whoever may write there can put others in their place for a moment; who may write above is trusted.
    """
    fixed = _before_a_pattern(Path(place_at(path)))
    top = fixed if fixed.is_dir() else fixed.parent
    return sorted({str(folder) for file in files for folder in Path(file).parents if folder.is_relative_to(top)})


def _content(file: Path) -> tuple[int, int]:
    """Equal for all names of a file."""
    found = file.stat()
    return found.st_dev, found.st_ino


def _is_hidden(path: Path) -> bool:
    """Whether any part of the path is; a partition such as _year=2024 is none."""
    return any(part.startswith(".") or (part.startswith("_") and "=" not in part) for part in path.parts)


def _before_a_pattern(place: Path) -> Path:
    return Path(*itertools.takewhile(lambda part: not PATTERN & set(part), place.parts))
