"""A tournament, for its page, the wall, the host and programs."""

from collections.abc import Iterable
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import review
from webapp.core.board import Board, Mark
from webapp.service.tournaments import BREAK, MISSED, Standing
from webapp.tournament.event import Finished, Format, Match, Opening, State, Tournament
from webapp.tournament.table import Line
from webapp.web.present.lobby import title_of
from webapp.words.language import _, ngettext


class LineView(NamedTuple):
    """A line of the table.

    :param sonneborn_berger: as it is written, such as ``12.5``
    :param kept: the share of own moves that kept the value, in per cent
    """

    place: int
    name: str
    points: int
    sonneborn_berger: str
    kept: int
    games: int
    me: bool


class PairView(NamedTuple):
    """A pairing of a round.

    :param names: the two, or the one who has a bye
    :param results: of its games that are over, such as ``X won``
    """

    names: tuple[str, ...]
    opening: str
    board: Board
    results: tuple[str, ...]


class RoundView(NamedTuple):
    """A round of a Swiss, or the latest matches of an arena."""

    title: str
    pairs: tuple[PairView, ...]


class GoingView(NamedTuple):
    """A game that goes on."""

    id: str
    names: tuple[str, str]
    board: Board


class PastView(NamedTuple):
    """A finished game of the viewer's.

    :param moves: as the address of its review has them
    :param decided: what is said of the move that decided it; may be empty
    """

    title: str
    moves: str
    mark: str
    decided: str


class TournamentView(NamedTuple):
    """The page of a tournament.

    :param title: what kind it is, and how long
    :param chosen: what its games begin from, and the clock; ``sharp``: whether from an opening
    :param state: ``waiting``, ``running`` or ``over``
    :param stage: how far it is, in words
    :param ends_in: the seconds that an arena goes on, while it runs
    :param mine: what there is to say to a player; empty for others
    :param is_in: whether the viewer plays in it; ``was_in``: whether they ever did
    :param podium: the first three, once it is over
    """

    id: str
    title: str
    chosen: str
    sharp: bool
    state: str
    stage: str
    ends_in: int | None
    mine: str
    is_in: bool
    was_in: bool
    players: int
    table: tuple[LineView, ...]
    rounds: tuple[RoundView, ...]
    going: tuple[GoingView, ...]
    past: tuple[PastView, ...]
    podium: tuple[LineView, ...]
    since: str


def present_tournament(found: Standing, me: str, counter: int) -> TournamentView:
    """Present a tournament to a viewer."""
    chosen, entrants = found.tournament, {one.player: one for one in found.entrants}
    lines = tuple(_line(line, found, me) for line in found.table)
    own = entrants.get(me)
    over = chosen.state is State.OVER
    arena = chosen.format is Format.ARENA
    return TournamentView(
        id=chosen.id,
        title=title_of(chosen),
        chosen=_chosen(chosen),
        sharp=chosen.opening is Opening.SHARP,
        state=chosen.state.value,
        stage=_stage(found),
        ends_in=chosen.left // 1000 if arena and chosen.state is State.RUNNING else None,
        mine=_mine(found, me),
        is_in=own is not None and own.playing and not over,
        was_in=own is not None,
        players=sum(one.playing for one in found.entrants),
        table=lines,
        rounds=tuple(_rounds(found)),
        going=tuple(
            GoingView(game.id, (_name(found, game.x_seat), _name(found, game.o_seat)), game.board)
            for game in found.going.values()
        ),
        past=tuple(_past(game, found, me) for game in found.finished.values() if _played(game, me)),
        podium=tuple(line for line in lines if line.place <= 3 and line.games) if over else (),
        since=str(counter),
    )


def as_json(found: Standing) -> dict[str, object]:
    """Return a tournament for programs."""
    chosen = found.tournament
    rounds: dict[int, list[dict[str, object]]] = {}
    for match in found.matches:
        rounds.setdefault(match.round, []).append(
            {
                "names": [_name(found, player) for player in match.players],
                "opening": match.opening,
                "results": [found.finished[id_].outcome for id_ in _over(match, found)],
            }
        )
    return {
        "format": chosen.format.value,
        "state": chosen.state.value,
        "opening": chosen.opening.value,
        "clock": chosen.clock,
        "table": [
            {
                "place": line.place,
                "name": _name(found, line.player),
                "points": line.points,
                "sonneborn_berger": float(line.sonneborn_berger),
                "kept": float(line.kept),
                "games": line.games,
            }
            for line in found.table
        ],
        "rounds": [{"round": number, "pairings": some} for number, some in rounds.items()],
    }


def rows(found: Standing) -> Iterable[tuple[object, ...]]:
    """Write the table for a spreadsheet."""
    yield (
        *(_("Place"), _("Name"), _("Points"), _("Sonneborn-Berger")),
        *(_("Moves that kept the value, in per cent"), _("Games")),
    )
    for line in found.table:
        shown = _line(line, found, "")
        name = found.names.get(line.player, _("A player who left"))
        yield (*(line.place, name, line.points, shown.sonneborn_berger, shown.kept, line.games),)


# --- the parts ----------------------------------------------------------------------------------


def _name(found: Standing, player: str | None) -> str:
    return words.isolated(found.names.get(player or "", _("A player who left")))


def _line(line: Line, found: Standing, me: str) -> LineView:
    return LineView(
        line.place,
        _name(found, line.player),
        line.points,
        f"{float(line.sonneborn_berger):g}",
        round(100 * line.kept),
        line.games,
        line.player == me,
    )


def _chosen(found: Tournament) -> str:
    if found.opening is Opening.SHARP:
        message = _("Sharp openings, {seconds} s for a move")
    else:
        message = _("From the empty board, {seconds} s for a move")
    return message.format(seconds=found.clock)


def _stage(found: Standing) -> str:
    chosen = found.tournament
    if chosen.state is State.WAITING:
        number = len(found.entrants)
        message = ngettext("{number} player has joined.", "{number} players have joined.", number)
        return message.format(number=number)
    if chosen.state is State.OVER:
        return _("The tournament is over.")
    if chosen.format is Format.SWISS:
        message = _("Round {round} of {rounds}")
        if chosen.round_over is not None and chosen.round < chosen.length:
            message = _("Round {round} of {rounds} is over: the next one begins in {seconds} s.")
        left = BREAK - (chosen.elapsed - (chosen.round_over or 0))
        return message.format(
            round=chosen.round, rounds=chosen.length, seconds=max(1, left // 1000)
        )
    if not chosen.left:
        return _("Time is up: the last games are finished.")
    return _("The tournament is on.")


def _mine(found: Standing, me: str) -> str:
    """What there is to say to a player about what comes next."""
    own = next((one for one in found.entrants if one.player == me), None)
    if own is None:
        return ""
    line = next(line for line in found.table if line.player == me)
    if found.tournament.state is State.WAITING:
        return _("You are in. Your first game opens by itself when the tournament begins.")
    if found.tournament.state is State.OVER:
        return _("You are number {place}.").format(place=line.place)
    if not own.playing:
        if own.missed >= MISSED:
            return _("You missed two games in a row, so you are out. You can come back.")
        return _("You are out. You can come back.")
    return _("You are number {place}. Your next game opens by itself.").format(place=line.place)


def _over(match: Match, found: Standing) -> list[str]:
    return [id_ for id_ in match.games if id_ in found.finished]


def _rounds(found: Standing) -> Iterable[RoundView]:
    if found.tournament.format is not Format.SWISS:
        return
    for number in range(found.tournament.round, 0, -1):
        pairs = tuple(_pair(one, found) for one in found.matches if one.round == number)
        yield RoundView(_("Round {round}").format(round=number), pairs)


def _pair(match: Match, found: Standing) -> PairView:
    board = Board()
    for cell in map(int, match.opening):
        board = board.play(cell)
    results = tuple(_result(found.finished[id_], found) for id_ in _over(match, found))
    names = tuple(_name(found, player) for player in match.players)
    return PairView(names, match.opening, board, results)


def _result(game: Finished, found: Standing) -> str:
    if game.outcome == "left":
        return _("not counted")
    if game.outcome == "draw":
        return _("a draw")
    winner = game.x if game.outcome == "x" else game.o
    return _("{name} won").format(name=_name(found, winner))


def _played(game: Finished, me: str) -> bool:
    return me in (game.x, game.o)


def _past(game: Finished, found: Standing, me: str) -> PastView:
    mine = Mark.X if game.x == me else Mark.O
    other = _name(found, game.o if game.x == me else game.x)
    if game.outcome == "draw":
        title = _("Drawn against {name}")
    elif game.outcome == mine.slug:
        title = _("Won against {name}")
    elif game.outcome == "left":
        title = _("Not counted against {name}")
    else:
        title = _("Lost against {name}")
    turning = review(tuple(map(int, game.moves))).turning_point if game.moves else None
    decided = ""
    if turning is not None and turning >= game.given:
        number, mark = turning + 1, tuple(Mark)[turning % 2]
        message = _("Your move {number} decided it") if mark is mine else None
        decided = (message or _("Move {number} of your opponent decided it")).format(number=number)
    return PastView(title.format(name=other), game.moves, mine.slug, decided)
