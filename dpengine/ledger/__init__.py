"""What has been spent: durable accounts that charge before a row is read and refuse for ever once empty."""

from dpengine.ledger.account import Account
from dpengine.ledger.amounts import Amounts, Charge
from dpengine.ledger.entry import Entry
from dpengine.ledger.ledger import Ledger
from dpengine.ledger.released import Release
from dpengine.ledger.terms import Terms

__all__ = ["Account", "Amounts", "Charge", "Entry", "Ledger", "Release", "Terms"]
