"""Tails, sums and quotients of two noises, and searches among whole numbers, as numbers."""
