"""What many answers cost together."""
