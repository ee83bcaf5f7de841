"""From a table to a released answer."""
