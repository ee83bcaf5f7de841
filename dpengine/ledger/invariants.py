"""What a database refuses by itself about budgets, in SQL that SQLite and PostgreSQL read; NEW is a row to come."""

from __future__ import annotations


def _granted(amount: str) -> str:
    """What an account may spend: the newest top-up's total, else what it was opened with."""
    newest = f"SELECT topups.{amount} FROM topups WHERE topups.account = NEW.account ORDER BY topups.id DESC LIMIT 1"  # noqa: S608
    return f"coalesce(({newest}), accounts.{amount})"


def _total(amount: str) -> str:
    return f"coalesce(sum(charges.{amount}), 0) AS {amount}"


_SPENT = ", ".join(_total(amount) for amount in ("epsilon", "delta", "rho"))
CHARGE_FITS = f"""
  SELECT 1 FROM accounts, (SELECT {_SPENT} FROM charges WHERE charges.account = NEW.account) AS spent
  WHERE accounts.id = NEW.account AND CASE accounts.rule
    WHEN 'basic' THEN
      NEW.epsilon <= {_granted("granted_epsilon")} - spent.epsilon
      AND NEW.delta <= {_granted("granted_delta")} - spent.delta
    ELSE NEW.rho <= {_granted("granted_rho")} - spent.rho
  END
"""  # noqa: S608  nothing but our own names
TOP_UP_GROWS = f"""
  SELECT 1 FROM accounts WHERE accounts.id = NEW.account
    AND NEW.granted_epsilon >= {_granted("granted_epsilon")}
    AND NEW.granted_delta >= {_granted("granted_delta")}
    AND NEW.granted_rho >= {_granted("granted_rho")}
    AND (NEW.granted_epsilon > {_granted("granted_epsilon")} OR NEW.granted_delta > {_granted("granted_delta")})
"""  # noqa: S608  nothing but our own names
BOUNDED = {"charges": (CHARGE_FITS, "over budget"), "topups": (TOP_UP_GROWS, "not a larger total")}
"""Which row is refused unless this finds something, and in which words."""
