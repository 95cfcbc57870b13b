"""What passes by itself on a page, such as the seconds until a game begins.

That is no change of the page: all of it looks alike in the page's stamp, which is made of ``repr``.
"""


class Seconds(int):
    """Seconds that pass."""

    def __repr__(self) -> str:
        """Return the same for all."""
        return "Seconds()"

    def __str__(self) -> str:
        """Return the digits, for pages."""
        return int.__repr__(self)


class Sentence(str):
    """A sentence with such seconds in it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the same for all."""
        return "Sentence()"
