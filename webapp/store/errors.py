"""The error that the store raises."""


class StoreError(Exception):
    """The database cannot be used as it is; the message says in one sentence what to do."""
