"""A plan as a script, a notebook or rows of numbers that rebuild it."""
