"""What strangers make in a database, and what trusted owners make with something of theirs."""

from __future__ import annotations

from urllib.parse import quote

import psycopg

from dpengine.data import NumberColumn, Schema, Table, read_table
from tests.servers.databases import Cluster

SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),))
STRANGER = "'mallory' owns it"

TELLS = """
    CREATE FUNCTION club.tells(age int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('default_transaction_read_only', 'off', false);
        IF current_setting('transaction_read_only') = 'off' THEN
            INSERT INTO club.loot SELECT name FROM public.secret;
        END IF;
        RETURN age;
    EXCEPTION WHEN OTHERS THEN RETURN age;
    END $$
"""
TELLS_WHILE_PLANNED = """
    CREATE FUNCTION club.sends(age int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_notify('club', (SELECT string_agg(name, ',') FROM public.secret)); RETURN age;
    EXCEPTION WHEN insufficient_privilege THEN RETURN age;
    END $$
"""
MADE = {
    "a view that calls a function": "CREATE VIEW club.visits AS SELECT club.tells(age) AS age FROM club.people",
    "a view that runs as its reader": "CREATE VIEW club.visits WITH (security_invoker = true) AS SELECT age, "
    "(SELECT pg_notify('club', string_agg(name, ','))::text FROM public.secret) FROM club.people",
    "row security": "ALTER TABLE club.people RENAME TO visits; ALTER TABLE club.visits ENABLE ROW LEVEL SECURITY; "
    "CREATE POLICY asked ON club.visits USING (club.tells(age) = age)",
    "a view of a view": "CREATE VIEW club.inner AS SELECT club.tells(age) AS age FROM club.people; "
    "GRANT SELECT ON club.inner TO PUBLIC; CREATE VIEW club.visits AS SELECT age FROM club.inner",
    "a table alone": "ALTER TABLE club.people RENAME TO visits",
    "an index": "ALTER TABLE club.people RENAME TO visits; CREATE INDEX ON club.visits ((age + club.sends(1)))",
}
OF_THE_OWNER = {
    "an index": "CREATE TABLE kept.visits (age int); CREATE INDEX ON kept.visits ((age + club.sends(1)))",
    "a partition's key": "CREATE TABLE kept.visits (age int) PARTITION BY RANGE ((age + club.sends(1)))",
    "statistics": "CREATE TABLE kept.visits (age int, x int); "
    "CREATE STATISTICS kept.told ON (age + club.sends(1)), x FROM kept.visits",
    "a check": "CREATE TABLE kept.visits (age int CHECK (age + club.sends(1) > 0))",
    "a generated column": "CREATE TABLE kept.visits (age int, x int GENERATED ALWAYS AS (age + club.sends(1)) STORED)",
    "an operator": "CREATE VIEW kept.visits AS SELECT 1 AS age, 1 OPERATOR(club.===) 1 AS x",
    "a domain": "CREATE TABLE kept.visits (age club.age)",
    "a type": "CREATE TABLE kept.visits (age int, x club.mood)",
    "a cast": "CREATE TYPE kept.mood AS ENUM ('good'); CREATE FUNCTION kept.cast(kept.mood) RETURNS int LANGUAGE sql "
    "AS 'SELECT 1'; CREATE CAST (kept.mood AS int) WITH FUNCTION kept.cast(kept.mood); "
    "ALTER FUNCTION kept.cast OWNER TO mallory; CREATE TABLE kept.visits (age int, x kept.mood)",
    "a child": "CREATE TABLE kept.visits (age int); CREATE TABLE club.child () INHERITS (kept.visits); "
    "ALTER TABLE club.child OWNER TO mallory",
    "an operator class": "CREATE OPERATOR CLASS kept.ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, "
    "OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 club.compared(int, int); "
    "CREATE TABLE kept.visits (age int) PARTITION BY RANGE (age kept.ops)",
    "an operator class of a constraint": "CREATE OPERATOR CLASS kept.ops FOR TYPE int USING btree AS OPERATOR 1 <, "
    "OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 club.compared(int, int); "
    "CREATE TABLE kept.visits (age int, EXCLUDE USING btree (age kept.ops WITH =))",
    "what a type is compared by": "CREATE TYPE kept.t AS (a int); CREATE FUNCTION kept.hashed(kept.t) RETURNS int "
    "LANGUAGE sql AS 'SELECT 0'; ALTER FUNCTION kept.hashed OWNER TO mallory; CREATE OPERATOR CLASS kept.ops DEFAULT "
    "FOR TYPE kept.t USING hash AS FUNCTION 1 kept.hashed(kept.t); "
    "CREATE VIEW kept.visits AS SELECT 1 AS age, ROW(1)::kept.t AS x",
    "what an operator belongs to": "CREATE FUNCTION kept.under(int, int) RETURNS boolean LANGUAGE sql AS "
    "'SELECT $1 < $2'; CREATE OPERATOR kept.<<< (LEFTARG = int, RIGHTARG = int, FUNCTION = kept.under); "
    "CREATE OPERATOR CLASS kept.ops FOR TYPE int USING btree AS OPERATOR 1 kept.<<<, "
    "FUNCTION 1 club.compared(int, int); CREATE VIEW kept.visits AS SELECT 1 AS age, 1 OPERATOR(kept.<<<) 1 AS x",
    "a field of a type": "CREATE TYPE kept.pair AS (a club.age, b int); "
    "CREATE VIEW kept.visits AS SELECT ('(1,2)'::text::kept.pair).b AS age",
    "an operator's opposite": "CREATE FUNCTION kept.same(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 = $2'; "
    "CREATE OPERATOR kept.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = kept.same, NEGATOR = OPERATOR(kept.!==)); "
    "CREATE OPERATOR kept.!== (LEFTARG = int, RIGHTARG = int, FUNCTION = club.same, NEGATOR = OPERATOR(kept.===)); "
    "ALTER OPERATOR kept.!== (int, int) OWNER TO mallory; "
    "CREATE VIEW kept.visits AS SELECT 1 AS age, NOT (1 OPERATOR(kept.===) 1) AS x",
    "its schema": "CREATE TABLE kept.visits (age int); ALTER SCHEMA kept OWNER TO mallory",
    "a foreign table's server": "CREATE FOREIGN DATA WRAPPER far; CREATE SERVER away FOREIGN DATA WRAPPER far; "
    "CREATE FOREIGN TABLE kept.visits (age int) SERVER away; ALTER SERVER away OWNER TO mallory",
}
"""What a trusted owner made with something of mallory's, who may change that at any moment."""


def as_mallory(cluster: Cluster, *statements: str) -> list[tuple[object, ...]]:
    """What the last of these brings."""
    place = f"postgresql://mallory:m@127.0.0.1:{cluster.port}/postgres"
    with psycopg.connect(place, autocommit=True) as connection:
        found = [connection.execute(statement.encode()) for statement in statements][-1]
        return found.fetchall() if found.description else []


def address(cluster: Cluster, name: str, trusted: str = "") -> str:
    return f"postgresql://reader:r@127.0.0.1:{cluster.port}/postgres?table={name}&trusted={quote(trusted)}"


def opened(cluster: Cluster, name: str = "club.visits", *, trusted: str = "") -> Table:
    return read_table(address(cluster, name, trusted), schema=SCHEMA)
