"""A password of a database is told to nobody who asks for it in the clear."""

from __future__ import annotations

from contextlib import suppress

import psycopg
import pytest

from dpengine.data import NumberColumn, Schema, read_table
from dpengine.errors import EngineError, LedgerError
from dpengine.ledger import Ledger
from tests.servers.password_taker import password_taker

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),))
WORDS = "the-whole-password"


def test_whoever_listens_at_the_port_of_a_table_or_ledger_is_told_no_password() -> None:
    """The server itself may be down. The control: the driver alone tells it."""
    with password_taker() as taken:
        place = f"user:{WORDS}@127.0.0.1:{taken.port}/d"
        with pytest.raises(EngineError, match="does not answer or refused access"):
            read_table(f"postgresql://{place}?table=visits", schema=SCHEMA)
        with pytest.raises(LedgerError, match="otherwise than by SCRAM"):
            Ledger.open(f"postgresql://{place}")
        assert not any(WORDS.encode() in one for one in taken.told)
        with suppress(psycopg.Error):
            psycopg.connect(f"postgresql://{place}", connect_timeout=5)
        assert any(WORDS.encode() in one for one in taken.told)
