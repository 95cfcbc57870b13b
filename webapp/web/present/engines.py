"""What engines are and what they are worth, for the pages of the opponents and the rule lab."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from webapp.analysis.matchup import Matchup, Proof
from webapp.analysis.worth import RIVALS, Worth, worth
from webapp.core import tactics
from webapp.core.board import CELLS_IN, Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES, LEVELS, LITERATURE
from webapp.web.present.pictures import Picture, of_game, picture
from webapp.words import figures
from webapp.words.language import N_, _, ngettext

_BARS = {
    ("easy", Mark.X): N_("Against random play, moving first"),
    ("easy", Mark.O): N_("Against random play, moving second"),
    ("hard", Mark.X): N_("Against Hard, moving first"),
    ("hard", Mark.O): N_("Against Hard, moving second"),
}


class ShareView(NamedTuple):
    """One result's part of a bar.

    :param result: ``"won"``, ``"drawn"`` or ``"lost"``
    :param start: the shares before it
    :param change: what the last change did to it, in percentage points; empty for nothing
    """

    result: str
    value: Fraction
    start: Fraction
    change: str


class BarView(NamedTuple):
    """How an engine fares against another with one mark."""

    title: str
    label: str
    shares: tuple[ShareView, ...]


class ProofView(NamedTuple):
    """Whether an engine with one mark can be beaten.

    :param end: of the shortest game that beats it, if one does
    :param passed_up: the sentence about wins passed up, if any are, and a board that shows one
    """

    found: Proof
    sentence: str
    end: Picture | None
    passed_up: str
    example: Picture | None


class EngineView(NamedTuple):
    """An engine, and what it is worth.

    :param verdict: in a few words: unbeatable, or how it can be beaten
    """

    engine: Engine
    verdict: str
    unbeatable: bool
    bars: tuple[BarView, ...]
    proofs: tuple[ProofView, ...]


def families(engines: Mapping[str, Engine]) -> dict[str, tuple[Engine, ...]]:
    """Engines by what they have in common, under the headings of their lists."""
    own = tuple(engine for slug, engine in engines.items() if slug not in ENGINES)
    found = {
        _("The levels"): LEVELS,
        _("From the literature"): LITERATURE,
        _("Functions of the class"): own,
    }
    return {heading: some for heading, some in found.items() if some}


def present_engine(engine: Engine, before: Engine | None = None) -> EngineView:
    """Present an engine with what it is worth.

    :param before: the engine that it was before the last change, to show what that did
    """
    found, old = worth(engine), worth(before) if before else None
    bars = (
        bar(
            _(_BARS[rival, mark]),
            found.results[rival, mark],
            mark,
            old.results[rival, mark] if old else None,
        )
        for rival in RIVALS
        for mark in Mark
    )
    return EngineView(
        engine,
        _verdict(found),
        found.unbeatable,
        tuple(bars),
        tuple(_proof(engine, each) for each in found.proofs.values()),
    )


def _verdict(found: Worth) -> str:
    beatable = [mark for mark, each in found.proofs.items() if each.beatable]
    if not beatable:
        return _("Proved unbeatable")
    if len(beatable) == len(Mark):
        return _("Can be beaten")
    return _("Can be beaten as {mark} only").format(mark=beatable[0])


def bar(title: str, found: Matchup, mark: Mark = Mark.X, before: Matchup | None = None) -> BarView:
    """Present the result of one engine against another, as seen by the one with this mark."""
    values = found.for_mark(mark)
    old = before.for_mark(mark) if before else values
    starts = (Fraction(0), values[0], values[0] + values[1])
    changes = (_change(value - was) for value, was in zip(values, old, strict=True))
    shares = tuple(map(ShareView, ("won", "drawn", "lost"), values, starts, changes))
    won, drawn, lost = map(figures.percent, values)
    label = _("{title}: won {won}, drawn {drawn}, lost {lost}").format(
        title=title, won=won, drawn=drawn, lost=lost
    )
    return BarView(title, label, shares)


def _change(difference: Fraction) -> str:
    if not difference:
        return ""
    shown = f"{float(difference * 100):+.1f}".replace("-", "\u2212")
    return shown if shown.strip("+\u2212") != "0.0" else f"{shown[0]}<0.1"


def _proof(engine: Engine, found: Proof) -> ProofView:
    end = example = None
    passed_up = ""
    sentence = " ".join((_("It cannot be beaten."), figures.positions_tried(found.positions)))
    if found.game:
        says = _("The end of a game that {engine} loses as {mark}")
        end = of_game(found.game, says.format(engine=engine.name, mark=found.mark))
        moves = len(found.game)
        sentence = ngettext(
            "It can be beaten: the shortest game that does it takes {number} move.",
            "It can be beaten: the shortest game that does it takes {number} moves.",
            moves,
        ).format(number=moves)
    if boards := found.passed_up:
        passed_up = figures.wins_missed(len(boards), found.positions)
        board = min(boards, key=lambda board: board.ply)
        wins = CELLS_IN[tactics.wins(board, found.mark)]
        says = _("{mark} may miss the win here").format(mark=found.mark)
        example = picture(board, says, lit=wins)
    return ProofView(found, sentence, end, passed_up, example)
