"""Rows of one person, deployments, and lines with a mark."""
