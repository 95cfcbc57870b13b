"""What can be proved or computed about engines and games.

May import ``core`` and ``engines``; knows nothing of storage or pages. Nothing is sampled where it
can be computed.
"""
