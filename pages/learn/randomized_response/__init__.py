"""A page: how can a question be answered honestly without giving oneself away?"""
