"""One question under discussion: its numbers, its pictures, its sentences, its live dial."""
