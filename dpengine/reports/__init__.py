"""Values into files that people keep: an HTML brief, a script, a table."""
