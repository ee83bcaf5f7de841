"""Sentences that more than one page says, a file a subject; the glossary."""
