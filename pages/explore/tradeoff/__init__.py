"""A page: how wrong, how revealing, how costly: one question, one dial."""
