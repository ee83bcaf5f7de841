"""A page: the whole idea in one picture: one question, one dial, three consequences; then the doors."""
