"""A tournament, for its page, the wall, the host and programs."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import review
from webapp.core.board import Board, Mark
from webapp.core.game import boards, moves_of
from webapp.service.tournaments import BREAK, MISSED, Standing
from webapp.tournament.event import (
    Entrant,
    Finished,
    Format,
    Match,
    Opening,
    State,
    Step,
    Tournament,
)
from webapp.tournament.table import Line
from webapp.web.present.lobby import is_given_up, title_of, why_closed
from webapp.web.present.passing import Seconds, Sentence
from webapp.words.language import _, ngettext

PLACES_ON_THE_PODIUM, NAMES_ON_A_STEP = 3, 3


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

    :param moves: as the address of its review has them, which shows it after ``at`` of them; empty
        where neither player has made one
    :param decided: what decided it; may be empty
    """

    title: str
    board: Board
    moves: str
    mark: str
    at: int | None
    decided: str


class StepView(NamedTuple):
    """A step of the podium.

    :param names: of the players who share the place, the first of them
    :param more: and how many more there are
    :param points: what each of them has, in words
    """

    place: int
    names: tuple[str, ...]
    more: int
    points: str


class TournamentView(NamedTuple):
    """The page of a tournament.

    :param title: what kind it is, and how long
    :param chosen: what its games begin from, and the clock; ``sharp``: whether from an opening
    :param state: ``waiting``, ``running`` or ``over``
    :param stage: how far it is, in words
    :param ends_in: the seconds that an arena goes on, while it runs
    :param next_in: the seconds until the next round of a Swiss begins, between two of them
    :param paused: whether the host has paused all games
    :param mine: what there is to say to a player; empty for others
    :param board: the id of the viewer's game that goes on; empty while there is none
    :param given_up: what becomes of the game outside of it that the viewer is in; may be empty
    :param is_in: whether the viewer plays in it; ``was_in``: whether they ever did;
        ``may_join``: whether they may join or come back
    :param names: of its players, as they have joined
    :param podium: the first three, once it is over
    :param tie_break: why places on it differ where points are equal; empty if none are
    """

    id: str
    title: str
    chosen: str
    sharp: bool
    state: str
    stage: str
    ends_in: Seconds | None
    next_in: Seconds | None
    paused: bool
    mine: str
    board: str
    given_up: str
    is_in: bool
    was_in: bool
    may_join: bool
    names: tuple[str, ...]
    table: tuple[LineView, ...]
    rounds: tuple[RoundView, ...]
    going: tuple[GoingView, ...]
    past: tuple[PastView, ...]
    podium: tuple[StepView, ...]
    tie_break: str


def present_tournament(
    found: Standing, me: str, *, paused: bool, opponent: str | None = None
) -> TournamentView:
    """Present a tournament to a viewer.

    :param paused: whether the host has paused all games
    :param opponent: whom the viewer is playing outside of tournaments
    """
    chosen, entrants = found.tournament, {one.player: one for one in found.entrants}
    lines = tuple(_line(line, found, me) for line in found.table)
    own = entrants.get(me)
    over = chosen.state is State.OVER
    podium = tuple(_steps(lines)) if over else ()
    arena = chosen.format is Format.ARENA
    return TournamentView(
        id=chosen.id,
        title=title_of(chosen),
        chosen=_chosen(chosen),
        sharp=chosen.opening is Opening.SHARP,
        state=chosen.state.value,
        stage=_stage(found),
        ends_in=Seconds(chosen.left // 1000) if arena and chosen.state is State.RUNNING else None,
        next_in=None if paused else next_in(chosen),
        paused=paused,
        mine=_mine(found, me),
        board=next((one.id for one in found.going.values() if me in one.players), ""),
        given_up=is_given_up(chosen, opponent),
        is_in=own is not None and own.playing and not over,
        was_in=own is not None,
        may_join=not why_closed(chosen, own),
        names=tuple(_name(found, one.player) for one in found.entrants if one.playing),
        table=lines,
        rounds=tuple(_rounds(found)),
        going=tuple(
            GoingView(game.id, (_name(found, game.x_seat), _name(found, game.o_seat)), game.board)
            for game in sorted(
                found.going.values(), key=lambda game: not game.players <= found.here
            )
        ),
        past=tuple(
            _past(game, found, me) for game in found.finished.values() if me in (game.x, game.o)
        ),
        podium=podium,
        tie_break=_tie_break(lines, podium),
    )


def as_json(found: Standing) -> dict[str, object]:
    """Return a tournament for programs."""
    chosen = found.tournament
    rounds: dict[int, list[dict[str, object]]] = {}
    for match in found.matches:
        rounds.setdefault(match.round, []).append(
            {
                "names": [_plain(found, player) for player in match.players],
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
                "name": _plain(found, line.player),
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
        name = _plain(found, line.player)
        yield (*(line.place, name, line.points, shown.sonneborn_berger, shown.kept, line.games),)


# --- the parts ----------------------------------------------------------------------------------


def _plain(found: Standing, player: str | None) -> str:
    return found.names.get(player or "", _("A player who left"))


def _name(found: Standing, player: str | None) -> str:
    return words.isolated(_plain(found, player))


def _steps(lines: Sequence[LineView]) -> Iterable[StepView]:
    """The first three who have any points from games; more where places are shared."""
    for place, some in groupby(lines, attrgetter("place")):
        names = [line.name for line in some if line.games and line.points]
        if place > PLACES_ON_THE_PODIUM or not names:
            continue
        points = next(line.points for line in lines if line.place == place)
        message = ngettext("{points} point", "{points} points", points)
        yield StepView(
            place,
            tuple(names[:NAMES_ON_A_STEP]),
            max(0, len(names) - NAMES_ON_A_STEP),
            message.format(points=points),
        )


def _tie_break(lines: Sequence[LineView], steps: Sequence[StepView]) -> str:
    """Say why players on the podium with equal points have different places; empty if none have."""
    points = {line.place: line.points for line in lines}
    scores = {line.place: line.sonneborn_berger for line in lines}
    equal = [
        scores[one.place] == scores[other.place]
        for one, other in pairwise(steps)
        if points[one.place] == points[other.place]
    ]
    if not equal:
        return ""
    if any(equal):
        return _(
            "Where points are equal, the player who beat stronger opponents comes first, and then "
            "the player with the larger share of moves that kept what the position was worth."
        )
    return _("Where points are equal, the player who beat stronger opponents comes first.")


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
        number = sum(one.playing for one in found.entrants)
        message = ngettext("{number} player has joined.", "{number} players have joined.", number)
        return message.format(number=number)
    if chosen.state is State.OVER:
        return _("The tournament is over.")
    if chosen.format is Format.SWISS:
        message, seconds = _("Round {round} of {rounds}"), next_in(chosen)
        if seconds is not None:
            message = _("Round {round} of {rounds} is over: the next one begins in {seconds} s.")
        text = message.format(round=chosen.round, rounds=chosen.length, seconds=seconds)
        return text if seconds is None else Sentence(text)
    if not chosen.left:
        return _("Time is up: the last games are played to their end.")
    return _("The tournament is on.")


def next_in(found: Tournament) -> Seconds | None:
    """Return how many seconds a Swiss still stands between two rounds, if it does."""
    between = found.state is State.RUNNING and found.round < found.length
    if not between or found.round_over is None:
        return None
    return Seconds(max(1, (BREAK - (found.elapsed - found.round_over)) // 1000))


def gone(own: Entrant) -> str:
    """Say why a player does not play on."""
    if own.missed >= MISSED:
        return _("You missed two games in a row, so you are out. You can come back.")
    return _("You have left for now. You can come back.")


def place(number: int) -> str:
    """Say which place a player has."""
    return _("You are number {place}.").format(place=number)


def _mine(found: Standing, me: str) -> str:
    """What there is to say to a player about what comes next."""
    own = next((one for one in found.entrants if one.player == me), None)
    over = found.tournament.state is State.OVER
    closed = "" if over else why_closed(found.tournament, own)
    if closed or own is None:
        return closed
    if found.tournament.state is State.WAITING and own.playing:
        return _("You are in. Your first game opens by itself when the tournament begins.")
    if not over and not own.playing:
        return gone(own)
    said = [place(next(line.place for line in found.table if line.player == me))]
    game = next((one for one in found.going.values() if me in one.players), None)
    if game:
        (other,) = game.players - {me}
        said.append(_("You are playing against {name}.").format(name=_name(found, other)))
    elif _plays_on(found, me):
        said.append(_("Your next game opens by itself."))
    return " ".join(said)


def _plays_on(found: Standing, me: str) -> bool:
    """Whether another game of a player's may come: not after the bell, nor after the last round."""
    chosen = found.tournament
    if chosen.state is State.OVER:
        return False
    if chosen.format is Format.ARENA:
        return chosen.left > 0
    own = (one for one in found.matches if me in one.players and one.step is not Step.DONE)
    return chosen.round < chosen.length or any(own)


def _over(match: Match, found: Standing) -> list[str]:
    return [id_ for id_ in match.games if id_ in found.finished]


def _rounds(found: Standing) -> Iterable[RoundView]:
    if found.tournament.format is not Format.SWISS:
        return
    for number in range(found.tournament.round, 0, -1):
        pairs = tuple(_pair(one, found) for one in found.matches if one.round == number)
        yield RoundView(_("Round {round}").format(round=number), pairs)


def _pair(match: Match, found: Standing) -> PairView:
    results = tuple(_result(found.finished[id_], found) for id_ in _over(match, found))
    names = tuple(_name(found, player) for player in match.players)
    return PairView(names, match.opening, _board(match.opening), results)


def _result(game: Finished, found: Standing) -> str:
    if game.outcome == "cancelled":
        return _("cancelled ({why})").format(why=_why_cancelled(game))
    if game.outcome == "draw":
        return _("a draw")
    winner = game.x if game.outcome == "x" else game.o
    return _("{name} won").format(name=_name(found, winner))


def _past(game: Finished, found: Standing, me: str) -> PastView:
    mine = Mark.X if game.x == me else Mark.O
    other = _name(found, game.o if game.x == me else game.x)
    won = game.outcome == mine.slug
    if game.outcome == "draw":
        title = _("Drawn against {name}")
    elif game.outcome == "cancelled":
        title = _("No result against {name}")
    else:
        title = _("Won against {name}") if won else _("Lost against {name}")
    decided, at = "", None
    if game.outcome == "cancelled":
        decided = _("Cancelled: {why}.").format(why=_why_cancelled(game))
    elif game.outcome == "draw":
        pass
    elif game.ending == "time":
        message = _("{name} ran out of time.") if won else _("You ran out of time.")
        decided = message.format(name=other)
    elif game.ending:
        decided = (_("{name} gave up.") if won else _("You gave up.")).format(name=other)
    elif (turning := review(moves_of(game.moves)).turning_point) is not None:
        at = turning + 1
        decided = _decided(at, game, mine)
    moves = game.moves if game.moved else ""
    return PastView(title.format(name=other), _board(game.moves), moves, mine.slug, at, decided)


def _why_cancelled(game: Finished) -> str:
    return words.why_cancelled(in_tournament=True, moved=game.moved)


def _decided(number: int, game: Finished, mine: Mark) -> str:
    """Say which move decided a game, or that it was won from its beginning."""
    if number <= game.given:
        return _("The opening had decided it.")
    if tuple(Mark)[(number - 1) % 2] is mine:
        message = _("Your move, number {number}, decided it.")
    else:
        message = _("Your opponent's move, number {number}, decided it.")
    return message.format(number=number)


def _board(moves: str) -> Board:
    return boards(moves_of(moves))[-1]
