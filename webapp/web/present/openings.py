"""The sharp openings of tournaments, in words."""

from collections.abc import Sequence

from webapp import words
from webapp.analysis.openings import MOST, Opening
from webapp.words.language import _


def openings_lead(openings: Sequence[Opening]) -> str:
    """Say what makes a position one of them."""
    message = _(
        "{number} positions after one to three moves, without two in a row to block, in which at "
        "most {most} cells keep what the position is worth. Turned and mirrored ones count as one."
    )
    return message.format(number=len(openings), most=MOST)


def keeping(opening: Opening) -> str:
    """Say which cells keep what an opening is worth."""
    first, *rest = map(words.cell_in_a_sentence, opening.keeping)
    if rest:
        message = _("Two cells keep the value: {first} and {second}.")
        return message.format(first=first, second=rest[0])
    return _("One cell keeps the value: {first}.").format(first=first)
