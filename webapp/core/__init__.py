"""The game of tic-tac-toe itself.

Standard library only: no I/O, no clock, no randomness of its own.
"""
