"""What the ledger writes: an account's terms, its top-ups, and each charge with its answer."""
