"""A tournament, for its page, the wall, the teacher and programs: what is computed for them."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from webapp import words
from webapp.analysis.review import review
from webapp.core.board import Board, Mark
from webapp.core.game import Game, boards, moves_of
from webapp.names import Player
from webapp.service.tournaments import Standing
from webapp.tournament.due import NO_SHOWS, break_left_ms
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
from webapp.web.podium import StepView, podium
from webapp.web.present.lobby import why_closed
from webapp.words.language import _, ngettext


class PastView(NamedTuple):
    """A finished game of the viewer's.

    :param player: the opponent
    :param moves: as the address of its review has them, which shows it after ``at`` of them; empty
        where neither player has made one
    :param decided: what decided it; may be empty
    """

    title: str
    player: Player
    board: Board
    moves: str
    mark: str
    at: int | None
    decided: str


# --- for spreadsheets -------------------------------------------------------------------------


def rows(standing: Standing) -> Iterable[tuple[object, ...]]:
    """Write the table for a spreadsheet."""
    yield (
        *(_("Place"), _("Name"), _("Points"), _("Sonneborn-Berger")),
        *(_("Moves that kept the value, in per cent"), _("Games")),
    )
    for line in standing.table:
        beaten, kept = float(line.sonneborn_berger), round(100 * line.kept)
        name = words.who(_plain(standing, line.player))
        yield line.place, name, line.points, beaten, kept, line.games


# --- for pages ----------------------------------------------------------------------------------


def _plain(standing: Standing, player: str | None) -> str:
    return str(standing.people[player or ""])


def name_in(standing: Standing, player: str | None) -> str:
    """Name a player of a tournament."""
    return words.isolated(_plain(standing, player))


def chosen_for(event: Tournament) -> str:
    """Say what its games begin from, and the clock."""
    message = _("From the empty board, {seconds} s for a move")
    if event.opening is Opening.SHARP:
        message = _("Sharp openings, {seconds} s for a move")
    return message.format(seconds=event.clock)


def stage_of(standing: Standing) -> str:
    """Say how far a tournament is."""
    event = standing.tournament
    if event.state is State.WAITING:
        number = sum(entrant.playing for entrant in standing.entrants)
        message = ngettext("{number} player has joined.", "{number} players have joined.", number)
        return message.format(number=number)
    if event.state is State.OVER:
        return _("The tournament is over.")
    if event.format is Format.SWISS:
        message, seconds = _("Round {round} of {rounds}"), next_in(event)
        if seconds is not None:
            message = _("Round {round} of {rounds} is over: the next one begins in {seconds} s.")
        return message.format(round=event.round, rounds=event.length, seconds=seconds)
    if not event.left:
        return _("Time is up: the last games are played to their end.")
    return _("The tournament is on.")


def ends_in(event: Tournament) -> int | None:
    """Return the seconds that an arena goes on, while it runs."""
    runs = event.format is Format.ARENA and event.state is State.RUNNING
    return event.left // 1000 if runs else None


def next_in(event: Tournament) -> int | None:
    """Return how many seconds a Swiss still stands between two rounds, if it does."""
    left_ms = break_left_ms(event)
    if left_ms is None or event.state is not State.RUNNING or event.round == event.length:
        return None
    return max(1, left_ms // 1000)


def gone(own: Entrant) -> str:
    """Say why a player does not play on."""
    if own.missed >= NO_SHOWS:
        return _("You missed two games in a row, so you are out. You can come back.")
    return _("You have left for now. You can come back.")


def place(number: int) -> str:
    """Say which place a player has."""
    return _("You are number {place}.").format(place=number)


def mine_in(standing: Standing, me: str) -> str:
    """Say to a player what comes next; empty for others."""
    event, own = standing.tournament, own_in(standing, me)
    over = event.state is State.OVER
    closed = "" if over else why_closed(event, own)
    if closed or own is None:
        return closed
    if event.state is State.WAITING and own.playing:
        return _("You are in. Your first game opens by itself when the tournament begins.")
    if not over and not own.playing:
        return gone(own)
    said = [place(next(line.place for line in standing.table if line.player == me))]
    if game := game_in(standing, me):
        (other,) = game.players - {me}
        said.append(_("You are playing against {name}.").format(name=name_in(standing, other)))
    elif _plays_on(standing, me):
        said.append(_("Your next game opens by itself."))
    return words.sentences(*said)


def own_in(standing: Standing, me: str) -> Entrant | None:
    """Return the viewer, if they are or were in it."""
    return next((entrant for entrant in standing.entrants if entrant.player == me), None)


def game_in(standing: Standing, me: str) -> Game | None:
    """Return the viewer's game that goes on."""
    return next((game for game in standing.going.values() if me in game.players), None)


def _plays_on(standing: Standing, me: str) -> bool:
    """Whether another game of a player's may come: not after the bell, nor after the last round."""
    event = standing.tournament
    if event.state is State.OVER or event.format is Format.ARENA:
        return event.state is not State.OVER and event.left > 0
    own = (match for match in standing.matches if me in match.players)
    return event.round < event.length or any(match.step is not Step.DONE for match in own)


def match_in(standing: Standing, game_id: str) -> Match | None:
    """Return the match that a game belongs to."""
    return next((match for match in standing.matches if game_id in match.games), None)


def about_in(standing: Standing, game_id: str) -> str:
    """Say what kind of tournament a game belongs to, and which game of the pairing it is."""
    event, match = standing.tournament, match_in(standing, game_id)
    about = _("Arena") if event.format is Format.ARENA else _("Round {round} of {rounds}")
    if match:
        number = match.games.index(game_id) + 1
        about = _("{tournament} · game {number} of 2").format(tournament=about, number=number)
    return about.format(round=match.round if match else 1, rounds=event.length)


def points_in(standing: Standing, player: str) -> str:
    """Say how many points and which place a player has."""
    for line in standing.table:
        if line.player == player:
            message = ngettext("{points} point · {place}", "{points} points · {place}", line.points)
            return message.format(points=line.points, place=words.ordinal(line.place))
    return ""


def podium_of(standing: Standing) -> list[StepView]:
    """Return the first three who have points from games."""
    return podium((line for line in standing.table if line.games), standing.people)


def tie_break_of(standing: Standing) -> str:
    """Say why places on the podium differ where points are equal; empty if none do."""
    lines = {line.place: line for line in standing.table}
    steps = [lines[step.place] for step in podium_of(standing)]
    equal = [
        one.sonneborn_berger == other.sonneborn_berger
        for one, other in pairwise(steps)
        if one.points == other.points
    ]
    if not equal:
        return ""
    if any(equal):
        return _(
            "Where points are equal, the player who beat stronger opponents comes first, and then "
            "the player with the larger share of moves that kept what the position was worth."
        )
    return _("Where points are equal, the player who beat stronger opponents comes first.")


def results_of(match: Match, standing: Standing) -> str:
    """Say what came of a match's games that are over; empty while there are none."""
    over = (standing.finished[id_] for id_ in match.games if id_ in standing.finished)
    return words.listed(_result(game, standing) for game in over)


def _result(game: Finished, standing: Standing) -> str:
    if game.outcome == "cancelled":
        why = words.why_cancelled(in_tournament=True, moved=game.moved)
        return _("cancelled ({why})").format(why=why)
    if game.outcome == "draw":
        return _("a draw")
    winner = game.x if game.outcome == "x" else game.o
    return _("{name} won").format(name=name_in(standing, winner))


def past_of(standing: Standing, me: str) -> Iterator[PastView]:
    """Return the viewer's games that are over."""
    for game in standing.finished.values():
        if me in (game.x, game.o):
            mine, other = (Mark.X, game.o) if game.x == me else (Mark.O, game.x)
            yield _past(game, mine, standing.people[other or ""])


def _past(game: Finished, mine: Mark, other: Player) -> PastView:
    name, decided, at = words.isolated(other), "", None
    title = _("Lost against {name}")
    won = game.outcome == mine.slug
    if won:
        title = _("Won against {name}")
    if game.outcome == "draw":
        title = _("Drawn against {name}")
    elif game.outcome == "cancelled":
        title = _("No result against {name}")
        decided = words.as_sentence(words.cancelled(in_tournament=True, moved=game.moved))
    elif game.ending == "time":
        decided = _("{name} ran out of time.") if won else _("You ran out of time.")
    elif game.ending:
        decided = _("{name} gave up.") if won else _("You gave up.")
    elif (turning := review(game.cells).turning_point) is not None:
        at = turning + 1
        decided = _decided(at, game, mine)
    return PastView(
        title=title.format(name=name),
        player=other,
        board=board_after(game.moves),
        moves=game.moves if game.moved else "",
        mark=mine.slug,
        at=at,
        decided=decided.format(name=name),
    )


def _decided(number: int, game: Finished, mine: Mark) -> str:
    """Say which move decided a game, or that it was won from its beginning."""
    if number <= game.given:
        return _("The opening had decided it.")
    if tuple(Mark)[(number - 1) % 2] is mine:
        message = _("Your move, number {number}, decided it.")
    else:
        message = _("Your opponent's move, number {number}, decided it.")
    return message.format(number=number)


def board_after(moves: str) -> Board:
    """Return the board after moves, such as ``402``."""
    return boards(moves_of(moves))[-1]
