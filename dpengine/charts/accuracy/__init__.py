"""How wrong an answer may be."""
