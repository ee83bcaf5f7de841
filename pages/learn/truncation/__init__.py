"""A page: may I cut off the noise?"""
