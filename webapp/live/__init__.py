"""What is live: who is here, and which requests wait for what. In memory, never a table.

A transaction notes the topics that it changes (``store/topics.py``); after its commit they are
published here, and the pages that wait for one of them are woken and ask their own question again.
May import ``store``.
"""

from webapp.live.room import Live

__all__ = ["Live"]
