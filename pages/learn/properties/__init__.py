"""A page: what follows from the promise, and what does not?"""
