"""Tic-tac-toe in the browser. Each room below says in its first lines what it holds."""

__version__ = "1.0.0"
