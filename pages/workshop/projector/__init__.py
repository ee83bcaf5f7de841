"""A page: what does the whole room look at?"""
