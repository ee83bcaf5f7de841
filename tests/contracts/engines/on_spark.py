"""Asks one Spark everything that the contract asks, in a process of its own: a process can have one Spark only.

    python -m tests.contracts.engines.on_spark URL

Prints how many answers agree with the oracle; exit code 0 where all do.
"""

from __future__ import annotations

import sys
from contextlib import closing

from dpengine.data import Schema, Table
from dpengine.data.connected.connections import open_connected
from tests.contracts.engines.rows_oracle import COLUMNS, FILE, SALT, UNITS, Oracle
from tests.contracts.engines.test_engines import AGGREGATES, CONDITIONS, among


def main(url: str) -> int:
    """Every aggregate for every unit, each with a condition in turn."""
    asked = agreeing = 0
    for name, unit in UNITS.items():
        schema, oracle = Schema(name="dirty", columns=COLUMNS, unit=unit), Oracle(FILE, unit)
        with closing(Table(open_connected(url, schema=schema, salt=SALT), schema=schema)) as table:
            for turn, aggregate in enumerate(AGGREGATES):
                one = among(aggregate, CONDITIONS[turn % len(CONDITIONS)])
                asked, right = asked + 1, table.run(one).tolist() == oracle.run(one)
                agreeing += right
                if not right:
                    print(name, one)
    print(f"{agreeing} of {asked} answers agree")
    return int(agreeing != asked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
