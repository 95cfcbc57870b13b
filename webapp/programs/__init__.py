"""Functions in people's own files: found, asked in a process, tabulated.

They run with the host's rights, and nothing from the web gets here. May import ``core`` and
``engines``.
"""
