"""The computer's players: a board in, a distribution over cells with reasons out.

May import ``core``; knows nothing of storage or pages.
"""
