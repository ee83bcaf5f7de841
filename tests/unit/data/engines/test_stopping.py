"""Work in an engine can be stopped whatever step it is at."""

import threading

import pyarrow as pa
import pytest

from dpengine.data import NumberColumn, Schema, Table
from dpengine.data.engines.stopping import stoppable
from dpengine.data.files.cells import Cells
from dpengine.data.files.reading import ReadingWatch
from dpengine.errors import EngineError, IntakeError

SCHEMA = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=10),))


def many_cells(rows):
    return Cells.of(("x",), [pa.chunked_array([["5"] * rows], type=pa.string())])


@pytest.mark.parametrize("stage", ["Casting the cells", "Storing the rows", "Counting what does not fit"])
def test_casting_and_storing_stop_where_they_are(stage):
    stopped, heard = threading.Event(), []

    def progress(share, what):
        heard.append(what)
        if what == stage:
            stopped.set()

    with pytest.raises(IntakeError, match="stopped"):
        Table.of_cells(
            many_cells(300_000), schema=SCHEMA, reading=ReadingWatch(progress=progress, cancelled=stopped.is_set)
        )
    assert heard[-1] in ("Casting the cells", stage)


def test_nobody_stops_it_and_every_stage_is_told():
    heard = []
    table = Table.of_cells(
        many_cells(10), schema=SCHEMA, reading=ReadingWatch(progress=lambda share, _: heard.append(share))
    )
    assert heard == sorted(heard)
    assert len(heard) == 3
    table.close()


def test_the_engine_is_told_to_stop_and_its_error_becomes_the_sentence():
    stopped, interrupted = threading.Event(), threading.Event()
    reading = ReadingWatch(cancelled=stopped.is_set)

    def work():
        with stoppable(interrupted.set, reading):
            stopped.set()
            assert interrupted.wait(10)
            raise EngineError

    with pytest.raises(IntakeError, match="stopped"):
        work()


def test_another_error_stays_what_it_is():
    with pytest.raises(EngineError), stoppable(lambda: None, ReadingWatch()):
        raise EngineError
