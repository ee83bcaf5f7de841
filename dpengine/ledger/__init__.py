"""What has been spent: durable accounts that charge before a row is read and refuse for ever once empty."""

from dpengine.ledger.accounts.account import Account
from dpengine.ledger.accounts.history import Edition, History, HistoryLine
from dpengine.ledger.answers.asking_again import Outlook, once_instead, outlook
from dpengine.ledger.answers.combining import Combined, answers_alike, combined
from dpengine.ledger.answers.estimate import Estimate
from dpengine.ledger.answers.released import Release
from dpengine.ledger.entries.entry import Entry
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.entries.topup import TopUp
from dpengine.ledger.ledger import Ledger
from dpengine.ledger.storage.amounts import Amounts, Charge
from dpengine.ledger.storage.ledger_place import url_in_use

__all__ = [
    "Account",
    "Amounts",
    "Charge",
    "Combined",
    "Edition",
    "Entry",
    "Estimate",
    "History",
    "HistoryLine",
    "Ledger",
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
