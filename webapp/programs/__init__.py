"""Functions that people have written in their own files: found, asked in a process, tabulated.

They are the host's code and run with the host's rights; nothing from the web gets here. May
import ``core`` and ``engines``.
"""
