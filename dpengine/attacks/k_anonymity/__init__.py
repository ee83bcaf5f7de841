"""Tables without names: told less exactly, linked, and what they give away all the same."""
