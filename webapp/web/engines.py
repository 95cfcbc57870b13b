"""What pages say of engines: how they fare, and whether they can be beaten."""

from fractions import Fraction
from typing import NamedTuple

from webapp import words
from webapp.analysis.matchup import Proof
from webapp.analysis.worth import RIVALS, Worth
from webapp.core import tactics
from webapp.core.board import CELLS_IN, Mark
from webapp.engines.base import Engine
from webapp.web.boards import Picture, of_game, picture
from webapp.words import figures
from webapp.words.language import N_, _, ngettext

_BARS = {
    ("easy", Mark.X): N_("Against random play, moving first"),
    ("easy", Mark.O): N_("Against random play, moving second"),
    ("hard", Mark.X): N_("Against Hard, moving first"),
    ("hard", Mark.O): N_("Against Hard, moving second"),
}


class Bar(NamedTuple):
    """An engine's shares of games won, drawn and lost against another, and those ``before``."""

    title: str
    values: tuple[Fraction, ...]
    before: tuple[Fraction, ...] | None = None

    @property
    def label(self) -> str:
        won, drawn, lost = map(figures.percent, self.values)
        return _("{title}: won {won}, drawn {drawn}, lost {lost}").format(
            title=self.title, won=won, drawn=drawn, lost=lost
        )

    @property
    def changes(self) -> tuple[str, ...]:
        """What the last change did to each share, in percentage points; empty for nothing."""
        pairs = zip(self.values, self.before or self.values, strict=True)
        return tuple(
            figures.signed((value - was) * 100, 1) if value != was else "" for value, was in pairs
        )


def bars(worth: Worth, before: Worth | None = None) -> tuple[Bar, ...]:
    """An engine's results against each rival with each mark, now and before the last change."""
    return tuple(
        Bar(
            _(_BARS[rival, mark]),
            worth.results[rival, mark].for_mark(mark),
            before.results[rival, mark].for_mark(mark) if before else None,
        )
        for rival in RIVALS
        for mark in Mark
    )


def verdict(worth: Worth) -> str:
    beatable = [mark for mark, proof in worth.proofs.items() if proof.beatable]
    if not beatable:
        return _("Proved unbeatable")
    if len(beatable) == len(Mark):
        return _("Can be beaten")
    return _("Can be beaten as {mark} only").format(mark=beatable[0])


def proved(proof: Proof) -> str:
    if proof.game is None:
        return words.sentences(_("It cannot be beaten."), figures.positions_tried(proof.positions))
    moves = figures.own_moves(len(proof.game))
    return ngettext(
        "It can be beaten: the quickest win takes {number} move.",
        "It can be beaten: the quickest win takes {number} moves.",
        moves,
    ).format(number=moves)


def lost_game(proof: Proof, engine: Engine) -> Picture:
    says = _("The end of a game that {engine} loses as {mark}")
    return of_game(proof.game or (), says.format(engine=words.named(engine), mark=proof.mark))


def missed_win(proof: Proof) -> Picture:
    """A board in which an engine may miss a win."""
    board = min(proof.passed_up, key=lambda board: board.ply)
    says = _("{mark} might miss the win here").format(mark=proof.mark)
    return picture(board, says, lit=CELLS_IN[tactics.wins(board, proof.mark)])
