"""A page: what did others choose, and may I compare?"""
