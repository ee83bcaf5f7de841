"""What is a promise of privacy worth that somebody else makes?"""
