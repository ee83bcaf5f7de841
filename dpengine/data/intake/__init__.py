"""The way in: a file, a frame or an address becomes a table; and what a form can suggest before."""
