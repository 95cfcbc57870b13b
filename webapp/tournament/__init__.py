"""Tournaments: who meets whom, and who is first. Players and results in, pairings and places out.

Standard library only: no stored row, no clock, no chance of its own.
"""
