"""Differential privacy that can be seen: mechanisms, bounds, accounting, beliefs and a durable ledger."""

__version__ = "0.1.0"
