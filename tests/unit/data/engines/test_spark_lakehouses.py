"""Places that this process does not see: Spark itself looks for a log that says which files count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data.connected.addresses import Address
from dpengine.data.connected.spark_places import SparkPlace
from dpengine.data.connected.spark_source import require_no_log
from dpengine.data.engines.spark_engine import SparkEngine
from dpengine.data.engines.spark_sessions import session_of
from dpengine.errors import IntakeError
from tests.servers.databases import Databases


@pytest.fixture
def engine(databases: Databases) -> Iterator[SparkEngine]:
    with closing(SparkEngine(a_session(databases))) as opened:
        yield opened


def a_session(databases: Databases) -> Any:
    return session_of("local[2]", memory=Address.of(databases.spark()).options["memory"])


@pytest.mark.parametrize("log", ["_delta_log", ".hoodie", "metadata/v1.metadata.json", "manifest/manifest-list-0"])
def test_a_place_elsewhere_is_searched_for_a_log_by_spark_itself(engine: SparkEngine, tmp_path: Path, log: str) -> None:
    """Where this process sees no disk, as in a cloud. The control: the same folder without."""
    visits = tmp_path / "lake" / "visits"
    visits.mkdir(parents=True)
    pq.write_table(pa.table({"age": [30.0]}), visits / "part-0.parquet")
    place = SparkPlace(told=str(visits), known_as="elsewhere")
    engine.source("visits", place.files)
    require_no_log(engine, place)
    (visits.parent / log).parent.mkdir(exist_ok=True)
    (visits.parent / log).mkdir() if log.startswith(("_", ".")) else (visits.parent / log).write_text("{}")
    with pytest.raises(IntakeError, match="a log in 'lake'"):
        require_no_log(engine, place)


def test_names_elsewhere_tell_of_a_log(engine: SparkEngine, tmp_path: Path) -> None:
    pq.write_table(pa.table({"age": [30.0]}), tmp_path / "00000-0-3c9d5f0e-2f43-4c1b-9a0e-7d1f6a2b8c55.parquet")
    engine.source("visits", (place := SparkPlace(told=str(tmp_path), known_as="elsewhere")).files)
    with pytest.raises(IntakeError, match="as their names tell"):
        require_no_log(engine, place)


def test_a_log_below_a_place_elsewhere_is_found(engine: SparkEngine, tmp_path: Path) -> None:
    place, eu = SparkPlace(told=str(tmp_path), known_as="elsewhere"), two_regions(tmp_path)
    engine.source("visits", place.files)
    require_no_log(engine, place)
    (eu / "_delta_log").mkdir()
    with pytest.raises(IntakeError, match="a log in a folder below"):
        require_no_log(engine, place)


def test_a_path_that_only_seems_to_lie_on_our_disk_is_searched_too(databases: Databases, tmp_path: Path) -> None:
    """As where Hadoop's settings lead a path without a scheme to a file system of their own."""
    two_regions(tmp_path)
    session = a_session(databases)
    session.conf.set("fs.viewfs.mounttable.cl.link./store", f"file://{tmp_path}")
    with closing(SparkEngine(session)) as engine:
        place = SparkPlace(told="viewfs://cl/store/region=eu", known_as="seen", on_disk="/nowhere/store/region=eu")
        engine.source("visits", place.files)
        require_no_log(engine, place)
        (tmp_path / "_delta_log").mkdir()
        with pytest.raises(IntakeError, match="a log in 'store'"):
            require_no_log(engine, place)


def two_regions(store: Path) -> Path:
    """Files of two folders; the first of these."""
    for folder in (eu := store / "region=eu", store / "region=us"):
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"age": [30.0]}), folder / "part-0.parquet")
    return eu
