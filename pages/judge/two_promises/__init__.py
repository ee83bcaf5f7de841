"""A page: which of two promises is stronger for one person?"""
