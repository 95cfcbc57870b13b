"""What the store refuses with."""


class StoreError(Exception):
    """The database cannot be used as it is; the message says what to mend, in one sentence."""
