"""Each worker begins to read elsewhere, and all of them read all."""

from types import SimpleNamespace

import pytest

from tests.running.reading import LARGE, begun_elsewhere


def at_worker(number: int, count: int = 3) -> pytest.Config:
    return SimpleNamespace(workerinput={"workerid": f"gw{number}", "workercount": count})  # type: ignore[return-value]


def test_each_worker_begins_elsewhere_and_reads_all() -> None:
    for things in (LARGE, "abcdefgh"):
        turns = [begun_elsewhere(things, at_worker(number)) for number in range(3)]
        assert len({turn[0] for turn in turns}) == 3
        assert all(sorted(turn) == sorted(things) for turn in turns)


def test_little_or_nothing_is_read_too() -> None:
    assert begun_elsewhere("", at_worker(2)) == []
    assert begun_elsewhere("a", at_worker(2)) == ["a"]


def test_without_workers_the_order_stays() -> None:
    assert begun_elsewhere("abc", SimpleNamespace()) == ["a", "b", "c"]  # type: ignore[arg-type]
