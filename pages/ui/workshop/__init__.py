"""The screens of a workshop: one laptop, one projector, many phones."""
