"""The game of tic-tac-toe itself.

Standard library only: no input or output, no clock, and no randomness of its own.
"""
