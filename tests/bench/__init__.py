"""The benchmark, run by ``script/bench``: how fast the server answers players who come back.

Servers with their usual settings; players with a cookie and open connections, who send what
Chromium and htmx send. What a player would not expect ends it.
"""
