"""Where a bin begins is where the definition of the grid says, to the last bit."""

import math
import random

import duckdb
import ibis
import pyarrow as pa
import pytest

from dpengine.data.aggregates.grid_expressions import _least, bin_of
from dpengine.data.engines.duckdb_sql import duckdb_sql
from tests.contracts.engines.rows_oracle import on_grid

BITS = (-1000, -970, -950, -20, -3, -1, 0, 1, 7, 14, 40, 300, 990)


@pytest.mark.parametrize("bits", BITS)
def test_the_least_number_of_a_step_is_the_least(bits):
    rng = random.Random(bits)
    steps = [0, 1, -1, 2, 3, -2, 2**20, -(2**20), 2**30 + 1] + [rng.randint(-(2**30), 2**30) for _ in range(200)]
    for step in steps:
        if abs(step).bit_length() - bits > 1023:
            continue
        least = _least(step, bits)
        assert on_grid(least, bits) >= step > on_grid(math.nextafter(least, -math.inf), bits)


EDGES = [(0, 1, 7, 42, 43, 100), (0, 10, 20, 30), (-3, -2, -1, 0, 1), (5, 9), (-100, 0, 1), tuple(range(-64, 65))]


@pytest.mark.parametrize("edges", EDGES, ids=str)
@pytest.mark.parametrize("clamp", [True, False])
def test_every_number_is_in_the_bin_of_its_grid_step(edges, clamp):
    bits, rng = 3, random.Random(1)
    near = [edge / 8 + shift / 16 for edge in edges for shift in (-1, 0, 1)]
    values = [one for v in near for one in (math.nextafter(v, -math.inf), v, math.nextafter(v, math.inf))]
    values += [rng.uniform(-20, 20) for _ in range(200)] + [1e300, -1e300, 0.0, -0.0, 5e-324]
    found = in_bins([*values, None], edges, bits, clamp)
    assert found == [*(the_bin(value, edges, bits, clamp) for value in values), None]


def the_bin(value, edges, bits, clamp):
    step = on_grid(value, bits)
    step = min(max(step, edges[0]), edges[-1]) if clamp else step
    inside = [i for i in range(len(edges) - 1) if edges[i] <= step < edges[i + 1]]
    return inside[0] if inside else len(edges) - 2 if step == edges[-1] else None


def in_bins(values, edges, bits, clamp):
    """What DuckDB says, None where it names no declared bin."""
    rows = ibis.table({"i": "int64", "x": "float64"}, name="numbers")
    asked = rows.select("i", cell=bin_of(rows.x, edges, bits, clamp=clamp)).order_by("i").select("cell")
    with duckdb.connect() as connection:
        columns = [pa.array(range(len(values))), pa.array(values, type=pa.float64())]
        connection.register("numbers", pa.table(columns, names=["i", "x"]))
        cells = [cell for (cell,) in connection.execute(duckdb_sql(asked)).fetchall()]
    return [cell if cell is not None and 0 <= cell < len(edges) - 1 else None for cell in cells]
