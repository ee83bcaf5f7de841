"""One look for every picture: colors, labels, and the same picture for a whole room."""
