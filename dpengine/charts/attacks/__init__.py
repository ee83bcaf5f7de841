"""What goes wrong without protection, and how often."""
