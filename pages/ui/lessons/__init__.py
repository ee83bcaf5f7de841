"""The panels of the Learn pages: one module a page, and the frame that all of them share."""
