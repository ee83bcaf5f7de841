"""A page: how much of each budget is left, and where did the rest go?"""
