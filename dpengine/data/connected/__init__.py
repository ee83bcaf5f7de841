"""Tables that stay where they are: their addresses, and how each is read where it lies."""
