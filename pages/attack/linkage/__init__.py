"""A page: may we publish the rows if we take the names off?"""
