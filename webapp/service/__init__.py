"""The use cases: what a player can do. Transactions begin here and nowhere else.

May import everything above: ``core``, ``engines``, ``store``. Knows nothing about HTTP.
"""
