"""A page: which table is this about, and what may be known about it without looking?"""
