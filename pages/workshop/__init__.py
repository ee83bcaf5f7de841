"""Workshop: many people, one table, one budget, live."""
