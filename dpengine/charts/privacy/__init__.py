"""What is promised, and what an attacker may come to believe."""
