"""A workshop's room on the wall."""
