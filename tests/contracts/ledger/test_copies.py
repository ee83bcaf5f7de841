"""A process is copied (fork, as multiprocessing on Linux does): SQLite may not be carried over, or charges are lost."""

from __future__ import annotations

import os

import pytest

from dpengine.errors import LedgerError
from tests.contracts.ledger.conftest import apart
from tests.contracts.ledger.copying import copied
from tests.contracts.ledger.laws import again
from tests.servers.ledger_places import FilePlace


def test_nothing_is_open_in_a_copy_and_all_charges_are_kept(begun: FilePlace) -> None:
    held, said = apart(_copied, begun.url, begun.marker, False)
    assert (held, said) == ([], "charged")
    assert [entry.request_id for entry in again(begun).charges()] == ["before", "copy", "after"]


def test_a_copy_of_a_process_that_was_using_the_ledger_refuses(begun: FilePlace) -> None:
    held, said = apart(_copied, begun.url, begun.marker, True)
    assert "budget.db" in held, "The control: it was open."
    assert said.startswith("This process was copied (forked)")
    assert [entry.request_id for entry in again(begun).charges()] == ["before", "after"]


def _copied(*given: object) -> tuple[list[str], str]:
    url, marker, in_use = given
    return copied(url, marker, in_use=bool(in_use))  # type: ignore[arg-type]


def test_a_ledger_with_another_name_on_the_disk_is_refused_as_long_as_it_has_one(begun: FilePlace) -> None:
    """SQLite keeps a -wal file for each name: neither program would see the other's charges."""
    other = begun.path.with_name("other.db")
    os.link(begun.path, other)
    with pytest.raises(LedgerError, match="hard link"):
        again(begun)
    other.unlink()
    assert again(begun).charges() == ()
