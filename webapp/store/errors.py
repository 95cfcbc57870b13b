"""The error that the store raises."""


class StoreError(Exception):
    """The database cannot be used; the message says what to do."""
