"""A page: how the budget burns, question by question, and which way of adding up stops first."""
