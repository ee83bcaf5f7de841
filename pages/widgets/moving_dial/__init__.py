"""A dial that tells while the hand moves: the pictures beside it, which the server draws, move along."""
