"""A page: what does this word mean?"""
