"""A page: can noise be averaged away?"""
