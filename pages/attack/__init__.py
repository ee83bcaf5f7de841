"""One idea a page, each with a picture that moves."""
