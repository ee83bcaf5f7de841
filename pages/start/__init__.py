"""The way in: the whole idea on one screen."""
