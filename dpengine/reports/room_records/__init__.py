"""What a workshop takes home."""
