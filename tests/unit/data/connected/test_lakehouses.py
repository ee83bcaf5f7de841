"""Folders in which a log says which files count: none of their files is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpengine.data.connected.parquet_files import files_named
from dpengine.errors import IntakeError


@pytest.mark.parametrize(
    "log",
    [
        *("_delta_log/0.json", ".hoodie/hoodie.properties", "_spark_metadata/0", "metadata/v1.metadata.json"),
        *("manifest/manifest-list-0", "_started_4162", "_committed_4162"),
    ],
)
@pytest.mark.parametrize("asked", ["lake", "lake/visits", "lake/visits/*.parquet"])
def test_files_of_which_a_log_says_which_count_are_refused(tmp_path: Path, log: str, asked: str) -> None:
    """An update of one row leaves the old file there, and everybody in it would count twice. The control: without."""
    visits = tmp_path / "lake" / "visits"
    visits.mkdir(parents=True)
    (visits / "a.parquet").write_bytes(b"")
    assert files_named(f"{tmp_path}/{asked}") == [f"{visits}/a.parquet"]
    (tmp_path / "lake" / log).parent.mkdir(exist_ok=True)
    (tmp_path / "lake" / log).write_text("{}")
    with pytest.raises(IntakeError, match="a log in 'lake'"):
        files_named(f"{tmp_path}/{asked}")
    assert files_named(f"{visits}/a.parquet"), "One file is what it is."


@pytest.mark.parametrize(
    "name",
    [
        "00000-0-3c9d5f0e-2f43-4c1b-9a0e-7d1f6a2b8c55.parquet",
        "00003-17-3c9d5f0e-2f43-4c1b-9a0e-7d1f6a2b8c55-00001.parquet",
        "ducklake-01979f3e-5c8a-7b1d-9f00-1a2b3c4d5e6f.parquet",
    ],
)
def test_files_named_for_a_log_that_lies_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    """The control: as Spark names the files of a plain folder."""
    (tmp_path / "part-00000-3c9d5f0e-2f43-4c1b-9a0e-7d1f6a2b8c55-c000.snappy.parquet").write_bytes(b"")
    assert len(files_named(str(tmp_path))) == 1
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(IntakeError, match="a log somewhere else, as their names tell"):
        files_named(str(tmp_path))
