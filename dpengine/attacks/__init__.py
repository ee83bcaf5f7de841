"""What goes wrong without protection: one file per attack, one result type."""
