"""What a promise of somebody else is worth, on two pages to print or send."""
