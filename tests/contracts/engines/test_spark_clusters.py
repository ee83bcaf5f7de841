"""The same answers from a cluster with two workers and through Spark Connect, each on this machine."""

import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data.intake.table_intake import read_cells
from tests.contracts.engines.rows_oracle import FILE, UNITS
from tests.contracts.engines.spark_cluster import connect_server, standalone
from tests.contracts.engines.test_engines import AGGREGATES
from tests.servers.databases import java_is_there
from tests.servers.server import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not java_is_there(), reason="no Java on this machine; install Java 17 to test Spark"),
]


@pytest.mark.parametrize("server", [standalone, connect_server])
def test_every_aggregate_agrees_with_the_oracle_there_too(server, tmp_path):
    cells = read_cells(FILE, file_format="csv", encoding="utf-8", delimiter=",")
    path = tmp_path / "dirty.parquet"
    pq.write_table(pa.table(list(cells.columns), names=list(cells.names)), path, row_group_size=150)
    with server(tmp_path) as address:
        command = (sys.executable, "-W", "error", "-m", "tests.contracts.engines.on_spark", f"{address}?parquet={path}")
        asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=800, check=False)
    expected = len(AGGREGATES) * len(UNITS)
    assert f"{expected} of {expected} answers agree" in asked.stdout, asked.stdout + asked.stderr[-4000:]
    assert asked.returncode == 0


def test_each_of_two_connect_servers_answers_for_itself(tmp_path):
    """One process asks both, in either order."""
    folders = [tmp_path / name for name in ("one", "two")]
    for folder, rows in zip(folders, (3, 5), strict=True):
        folder.mkdir()
        pq.write_table(pa.table({"age": [1.0] * rows}), folder / "rows.parquet")
    with connect_server(folders[0]) as one, connect_server(folders[1]) as two:
        for servers in ((one, two), (two, one)):
            command = (sys.executable, "-W", "error", "-m", "tests.contracts.engines.who_answers", *servers)
            asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
            assert asked.stdout.split() == list(servers), asked.stdout + asked.stderr[-4000:]
