"""What a person declares about a table, and conditions on it: public facts, from which no row is read."""
