"""A page: what do I do now, with everybody else in this room?"""
