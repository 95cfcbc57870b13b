"""What engines are and what they are worth, for the pages of the opponents and the rule lab."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from webapp import words
from webapp.analysis.matchup import Matchup, Proof
from webapp.analysis.worth import RIVALS, Worth, worth
from webapp.core import tactics
from webapp.core.board import CELLS_IN, Mark
from webapp.engines.base import Engine, EngineFault
from webapp.web.present.pictures import Picture, of_game, picture

_RIVALS = {"easy": "Against random play", "hard": "Against Hard"}


class ShareView(NamedTuple):
    """One result's part of a bar.

    :param result: ``"won"``, ``"drawn"`` or ``"lost"``
    :param start: where it begins, in percent of the bar, and how wide it is
    :param change: what the last change did to it, in percentage points; empty for nothing
    """

    result: str
    percent: str
    fraction: str
    start: float
    width: float
    change: str


class BarView(NamedTuple):
    """How an engine fares against another with one mark."""

    title: str
    label: str
    shares: tuple[ShareView, ...]


class ProofView(NamedTuple):
    """Whether an engine with one mark can be beaten.

    :param picture: the end of the shortest game that beats it, if one does
    :param game: the cells of that game, to step through; may be empty
    :param mark: of the player who beats it, ``"x"`` or ``"o"``
    :param passed_up: the sentence about wins passed up, and a board that shows one
    """

    title: str
    beatable: bool
    sentence: str
    picture: Picture | None
    game: str
    mark: str
    passed_up: str
    example: Picture | None


class EngineView(NamedTuple):
    """An engine, and what it is worth.

    :param verdict: in a few words: unbeatable, or how it can be beaten
    :param fault: why it could not be computed; everything below is empty then
    """

    slug: str
    name: str
    idea: str
    source: str
    rules: tuple[str, ...]
    verdict: str
    fault: str = ""
    unbeatable: bool = False
    bars: tuple[BarView, ...] = ()
    proofs: tuple[ProofView, ...] = ()


def present_engine(engine: Engine, before: Engine | None = None) -> EngineView:
    """Present an engine with what it is worth.

    :param before: the engine that it was before the last change, to show what that did
    """
    letter, title = engine.source.letter, engine.source.title
    source = f"Source {letter}: {title}." if letter else f"{words.capital(title)}."
    view = EngineView(engine.slug, engine.name, engine.idea, source, engine.rules, verdict="")
    try:
        found, old = worth(engine), worth(before) if before else None
    except EngineFault as error:
        return view._replace(fault=str(error), verdict="It does not answer as it ought.")
    return view._replace(
        verdict=_verdict(found),
        unbeatable=found.unbeatable,
        bars=tuple(
            bar(
                f"{_RIVALS[rival]}, moving {words.order(mark)}",
                found.results[rival, mark],
                mark,
                old.results[rival, mark] if old else None,
            )
            for rival in RIVALS
            for mark in Mark
        ),
        proofs=tuple(_proof(engine, each) for each in found.proofs.values()),
    )


def _verdict(found: Worth) -> str:
    beatable = [mark for mark, each in found.proofs.items() if each.beatable]
    if not beatable:
        return "Proved unbeatable"
    return "Can be beaten" if len(beatable) == 2 else f"Can be beaten as {beatable[0]} only"


def bar(title: str, found: Matchup, mark: Mark = Mark.X, before: Matchup | None = None) -> BarView:
    """Present the result of one engine against another, as seen by the one with this mark."""
    results = ("won", "drawn", "lost")
    values = found.for_mark(mark)
    old = before.for_mark(mark) if before else values
    starts = (Fraction(0), values[0], values[0] + values[1])
    shares = tuple(
        ShareView(
            result,
            words.percent(value),
            str(value),
            float(start * 100),
            float(value * 100),
            _change(value - was),
        )
        for result, value, start, was in zip(results, values, starts, old, strict=True)
    )
    said = ", ".join(f"{share.result} {share.percent}" for share in shares)
    return BarView(title, f"{title}: {said}", shares)


def _change(difference: Fraction) -> str:
    if not difference:
        return ""
    shown = f"{float(difference * 100):+.1f}".replace("-", "\u2212")
    return shown if shown.strip("+\u2212") != "0.0" else f"{shown[0]}<0.1"


def _proof(engine: Engine, found: Proof) -> ProofView:
    end = passed_up = example = None
    sentence = f"It cannot be beaten. {words.positions_tried(found.positions)}"
    if found.game:
        end = of_game(found.game, f"The end of a game that {engine.name} loses as {found.mark}")
        moves = words.moves(len(found.game))
        sentence = f"It can be beaten: the shortest game that does it takes {moves}."
    if boards := found.passed_up:
        among = f"the {found.positions:,} positions that it can meet"
        passed_up = words.wins_passed_up(len(boards), among)
        board = min(boards, key=lambda board: board.ply)
        wins = CELLS_IN[tactics.wins(board, found.mark)]
        example = picture(board, f"{found.mark} may pass up the win here", lit=wins)
    return ProofView(
        title=f"As {found.mark}, moving {words.order(found.mark)}",
        beatable=found.beatable,
        sentence=sentence,
        picture=end,
        game=words.digits(found.game or ()),
        mark=found.mark.other.slug,
        passed_up=passed_up or "",
        example=example,
    )
