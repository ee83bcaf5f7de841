"""A page: is it enough if everybody looks like k others?"""
