"""The benchmark, run by ``script/bench``: how fast the server answers players who come back.

Servers that it starts itself, with their usual settings, limits included; players with a cookie and
an open connection each, who send what Chromium and htmx send and read compressed answers. What a
player would not expect ends it.
"""
