"""How the ledger lies in a database, and what keeps each charge whatever happens to program, disk or copy."""
