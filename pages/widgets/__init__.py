"""Inputs and outputs that more than one page uses."""
