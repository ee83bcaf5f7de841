"""What stands around every page: a visit from its first line to its last, the menu, the look."""
