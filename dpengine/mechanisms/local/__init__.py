"""The local model: each person adds the noise before anybody collects anything."""
