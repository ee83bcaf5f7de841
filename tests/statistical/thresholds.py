"""The one place that says when a statistical test fails: a right implementation does so once in a million runs."""

SIGNIFICANCE = 1e-6
WRONG_SCALE = 1.1
DRAWS = 25_000
