"""A page: what is somebody else's epsilon worth?"""
