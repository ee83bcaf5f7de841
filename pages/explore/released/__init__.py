"""A page: what has been released, and how sure is each answer?"""
