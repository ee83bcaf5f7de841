"""Cells and values of a database as the typed, bounded rows that were declared."""
