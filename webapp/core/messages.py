"""Messages of the rooms that do not know the reader's language. Pages look up the translations."""

from typing import Self

N_ = str  # marks a message for translation


def NC_(_context: str, message: str) -> str:  # noqa: N802 - as gettext calls it
    """Mark a message that is looked up with a context."""
    return message


class Complaint(ValueError):  # noqa: N818 - a sentence for the reader, not a fault
    """An error that a page can show: a message with placeholders, and their values.

    ``str`` is the English sentence. A value may be another complaint.

    >>> str(Complaint("A name has at most {most} letters.", most=1000))
    'A name has at most 1,000 letters.'
    """

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message)
        self.message, self.values = message, values

    def __str__(self) -> str:
        grouped = {
            name: f"{value:,}" if isinstance(value, int) else value
            for name, value in self.values.items()
        }
        return self.message.format(**grouped)

    @classmethod
    def of(cls, other: "Complaint") -> Self:
        return cls(other.message, **other.values)
