"""A page: can innocent counts be put together again?"""
