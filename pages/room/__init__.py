"""A workshop's room, as its host, its phones and its wall show it: ways in, steps, records."""
