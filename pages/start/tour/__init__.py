"""A page: what is the shortest way through all of this?"""
