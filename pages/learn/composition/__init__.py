"""A page: what do many answers cost together?"""
