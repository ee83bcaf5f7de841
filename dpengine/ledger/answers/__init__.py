"""What was released, read again: its numbers with their intervals, alone or several together."""
