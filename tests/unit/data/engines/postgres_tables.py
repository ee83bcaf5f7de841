"""Tables in a cluster of the tests, as a server's administrator would configure them."""

from contextlib import contextmanager

from psycopg.sql import SQL, Identifier

from dpengine.data import NumberColumn, Schema, TextColumn, read_table

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100), TextColumn(name="who")))


@contextmanager
def table_of(cluster, name, statement, schema, **options):
    """A table or view made by a statement with {} for its name, as a server's administrator would configure it."""
    with cluster.connect() as connection:
        connection.execute(SQL(statement).format(Identifier(name)))
    kind = "VIEW" if "VIEW" in statement else "TABLE"
    table = read_table(cluster.url(name, **options), schema=schema)
    try:
        yield table
    finally:
        table.close()
        with cluster.connect() as connection:
            connection.execute(SQL("DROP " + kind + " {}").format(Identifier(name)))


@contextmanager
def visits(cluster, rows="(30, 'ann'), (40, 'bob'), (50, 'ann')"):
    with table_of(
        cluster, "visits", f"CREATE TABLE {{}} AS SELECT * FROM (VALUES {rows}) v (age, who)", SCHEMA
    ) as table:
        yield table
