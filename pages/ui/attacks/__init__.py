"""The attacks as stories: what is published, what the attacker does, what epsilon changes."""
