"""What a database refuses by itself, in SQL that SQLite and PostgreSQL read; NEW is a row to come."""

from __future__ import annotations

from collections.abc import Mapping

from dpengine.ledger.storage.tables import CHAINED

Condition = tuple[str, str]
"""A row is refused unless the first finds something, in the words of the second."""


def _granted(amount: str) -> str:
    """What an account may spend: the newest top-up's total, else what it was opened with."""
    newest = f"SELECT topups.{amount} FROM topups WHERE topups.account = NEW.account ORDER BY topups.id DESC LIMIT 1"  # noqa: S608
    return f"coalesce(({newest}), accounts.{amount})"


def _adds_up(amount: str) -> str:
    return f"NEW.total_{amount} - NEW.{amount} = coalesce(earlier.total_{amount}, 0)"


_LAST = " UNION ALL ".join(f"SELECT max({table.name}.id) AS id FROM {table.name}" for table in CHAINED)  # noqa: S608
_EARLIER = "SELECT * FROM charges WHERE charges.account = NEW.account ORDER BY charges.id DESC LIMIT 1"
IN_ORDER = f"""
  SELECT 1 WHERE NEW.id = 1 + (SELECT coalesce(max(last.id), 0) FROM ({_LAST}) AS last)
"""  # noqa: S608  nothing but our own names
CHARGE_ADDS_UP = f"""
  SELECT 1 FROM accounts LEFT JOIN ({_EARLIER}) AS earlier ON 1 = 1
  WHERE accounts.id = NEW.account AND {" AND ".join(map(_adds_up, ("epsilon", "delta", "rho")))}
"""  # noqa: S608  nothing but our own names
CHARGE_FITS = f"""
  SELECT 1 FROM accounts WHERE accounts.id = NEW.account AND CASE accounts.rule
    WHEN 'basic' THEN
      NEW.total_epsilon <= {_granted("granted_epsilon")} AND NEW.total_delta <= {_granted("granted_delta")}
    ELSE NEW.total_rho <= {_granted("granted_rho")}
  END
"""  # noqa: S608  nothing but our own names
TOP_UP_GROWS = f"""
  SELECT 1 FROM accounts WHERE accounts.id = NEW.account
    AND NEW.granted_epsilon >= {_granted("granted_epsilon")}
    AND NEW.granted_delta >= {_granted("granted_delta")}
    AND NEW.granted_rho >= {_granted("granted_rho")}
    AND (NEW.granted_epsilon > {_granted("granted_epsilon")} OR NEW.granted_delta > {_granted("granted_delta")})
"""  # noqa: S608  nothing but our own names
_NEXT: Condition = (IN_ORDER, "not the next place")
BOUNDED: Mapping[str, tuple[Condition, ...]] = {
    "accounts": (_NEXT,),
    "topups": (_NEXT, (TOP_UP_GROWS, "not a larger total")),
    "charges": (_NEXT, (CHARGE_ADDS_UP, "not the running total"), (CHARGE_FITS, "over budget")),
    "answers": (_NEXT,),
}
"""What each new row of a table must fulfill."""
