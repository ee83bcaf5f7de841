"""One table's budget: opened, charged, refused, continued by an edition, and told in full."""
