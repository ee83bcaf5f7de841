"""A page: the guessing game: is this person in the table?"""
