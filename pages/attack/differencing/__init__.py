"""A page: can two harmless counts tell about one person?"""
