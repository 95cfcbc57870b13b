"""``python -m webapp.cli``: the `tictactoe` command where it is not installed."""

from webapp.cli import main

main()
