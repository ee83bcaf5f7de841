"""A page: who leads the room, and what happens next in it?"""
