"""A page: what exactly is promised to me?"""
