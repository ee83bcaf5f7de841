"""Noise that is added to numbers: what is released, and what lessons show beside it."""
