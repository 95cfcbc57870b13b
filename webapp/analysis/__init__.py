"""What can be proved or computed about engines and games.

May import ``core`` and ``engines``. Nothing is sampled that can be computed.
"""
