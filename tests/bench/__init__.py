"""The benchmark: how fast the server answers moves, next to a bare Flask route.

``script/bench`` runs it. Everything happens on this computer, between servers that it starts and
stops itself and one client process, this one; somebody at the lab is a second. Standard library
and ``webapp`` only.
"""
