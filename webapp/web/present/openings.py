"""The sharp openings of tournaments, with what an engine makes of them."""

from fractions import Fraction
from typing import NamedTuple

from webapp import words
from webapp.analysis.openings import MOST, Opening, chances, sharp
from webapp.core.board import Board
from webapp.core.game import digits
from webapp.engines.base import Engine
from webapp.words.language import _


class OpeningView(NamedTuple):
    """An opening.

    :param title: whose move it is
    :param keeping: which cells keep the value
    :param shares: of the results of an engine against itself: X wins, draws, O wins, in per cent
    """

    moves: str
    board: Board
    title: str
    keeping: str
    shares: tuple[str, str, str]


class OpeningsView(NamedTuple):
    """The page of the openings."""

    lead: str
    openings: tuple[OpeningView, ...]
    engine: str


def present_openings(engine: Engine) -> OpeningsView:
    """Present the openings, with the exact results of an engine against itself from each."""
    found = tuple(_opening(one, engine) for one in sharp())
    message = _(
        "{number} positions after one to three moves, without two in a row to block, in which at "
        "most {most} cells keep what the position is worth. Turned and mirrored ones count as one."
    )
    return OpeningsView(message.format(number=len(found), most=MOST), found, engine.name)


def _opening(one: Opening, engine: Engine) -> OpeningView:
    results, board = chances(one, engine), one.board
    first, *rest = map(words.cell_in_a_sentence, one.keeping)
    if rest:
        keeping = _("Two cells keep the value: {first} and {second}.")
        keeping = keeping.format(first=first, second=rest[0])
    else:
        keeping = _("One cell keeps the value: {first}.").format(first=first)
    return OpeningView(
        digits(one.moves),
        board,
        _("{mark} to move").format(mark=board.turn),
        keeping,
        (_share(results.x_wins), _share(results.draws), _share(results.o_wins)),
    )


def _share(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"
