"""Messages of the rooms that do not know the reader's language: they are looked up by the pages."""

from typing import Self

N_ = str
"""Marks a message in a table, to be looked up later."""


def NC_(_context: str, message: str) -> str:  # noqa: N802 - as gettext calls it
    """Mark a message that has a context, by which it is looked up too."""
    return message


class Complaint(ValueError):  # noqa: N818 - a sentence for the reader, not a fault
    """An error that a page can show: a message with named places, and the values that fill them.

    ``str`` is the English sentence. A value may be another complaint, a whole sentence.

    >>> str(Complaint("A name has at most {most} letters.", most=1000))
    'A name has at most 1,000 letters.'
    """

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message)
        self.message, self.values = message, values

    def __str__(self) -> str:
        grouped = {
            place: f"{value:,}" if isinstance(value, int) else value
            for place, value in self.values.items()
        }
        return self.message.format(**grouped)

    @classmethod
    def of(cls, other: "Complaint") -> Self:
        """Say the same as another complaint."""
        return cls(other.message, **other.values)
