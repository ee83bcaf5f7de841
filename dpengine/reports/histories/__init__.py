"""An account's history as files, and read back."""
