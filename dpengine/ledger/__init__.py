"""What has been spent: durable accounts that charge before a row is read and refuse for ever once empty."""

from dpengine.ledger.account import Account
from dpengine.ledger.amounts import Amounts, Charge
from dpengine.ledger.asking_again import Outlook, once_instead, outlook
from dpengine.ledger.combining import Combined, answers_alike, combined
from dpengine.ledger.entry import Entry
from dpengine.ledger.estimate import Estimate
from dpengine.ledger.history import Edition, History, Line
from dpengine.ledger.ledger import Ledger, url_in_use
from dpengine.ledger.released import Release
from dpengine.ledger.terms import Terms
from dpengine.ledger.topup import TopUp

__all__ = [
    "Account",
    "Amounts",
    "Charge",
    "Combined",
    "Edition",
    "Entry",
    "Estimate",
    "History",
    "Ledger",
    "Line",
    "Outlook",
    "Release",
    "Terms",
    "TopUp",
    "answers_alike",
    "combined",
    "once_instead",
    "outlook",
    "url_in_use",
]
