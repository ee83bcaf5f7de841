"""A page: what may leave the table, at what price: one button, one charge, one answer."""
