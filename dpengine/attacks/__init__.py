"""What goes wrong without protection: one file per attack, one result; never through a ledger, never a release.

An attack is seeded and runs on numpy noise: it shows what an attacker could do, and nothing that it draws may leave.
"""

from dpengine.attacks.outcome import Outcome
from dpengine.attacks.watch import UNWATCHED, Watch

__all__ = ["UNWATCHED", "Outcome", "Watch"]
