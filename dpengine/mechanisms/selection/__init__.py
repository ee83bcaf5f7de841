"""A choice among candidates: which is reported, and how likely each is."""
