"""The plan's table: a file or a table of the server, declared, read, recognized again."""
