"""What computes expressions: the embedded DuckDB, PostgreSQL and Spark; no error that quotes a cell leaves here."""
