"""A page: how many rows may one person have?"""
