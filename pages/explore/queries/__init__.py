"""A page: what do you want to know, and how far can one person move each answer?"""
