"""The benchmark, run by ``script/bench``: how fast the server answers players who come back."""
