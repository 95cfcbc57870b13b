"""Functions that people have written, in files of their own: found, asked in a process, tabulated.

What they are is the host's code, and it runs with the host's rights; nothing from the web gets
here. May import ``core`` and ``engines``.
"""
