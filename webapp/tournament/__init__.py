"""Tournaments: who meets whom, who is first, and what is due next.

May import ``core`` and ``analysis``: no stored row, no clock, no chance of its own.
"""
