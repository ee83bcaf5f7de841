"""The first picture of the budget, which moves while the hand does: its frames, what is said of them, its script."""
