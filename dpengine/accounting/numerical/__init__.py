"""Composition by loss distributions: any mix of runs, never below the truth."""
