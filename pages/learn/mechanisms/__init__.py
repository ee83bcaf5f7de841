"""A page: which noise, and why does it work?"""
