"""A tournament beside a game of it: which game it is, what it has brought, and what comes next."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp import words
from webapp.core.board import Mark
from webapp.names import Player
from webapp.service.pov import Pov
from webapp.service.tournaments import Standing
from webapp.tournament.due import NO_SHOWS, break_left_ms, rest_left_ms
from webapp.tournament.event import Entrant, Format, Match, State, Step, Tournament
from webapp.tournament.table import DRAW, LOSS, WIN, table
from webapp.web.games import review_address
from webapp.web.respond import Shown
from webapp.words.language import _, ngettext


class AfterView(NamedTuple):
    """What a game has brought, and what comes next.

    :param gained: the points in words; ``points`` is the figure, such as ``+2``, or empty
    :param lines: the player's line of the table and its neighbours
    :param other: the opponent of the next game, where known
    :param text: what comes next, with a place for the ``seconds``
    :param review: arguments of its address, if there is time for a review
    :param waits: whether another game may come
    """

    id: str
    game_id: str
    gained: str
    points: str
    place: str
    lines: tuple[Shown, ...]
    other: Player | None
    text: str
    seconds: int | None
    review: Mapping[str, str | None] | None
    waits: bool


def present_after(standing: Standing, pov: Pov) -> AfterView:
    """Present what a finished game has brought one of its players, and what comes next."""
    event, game, (mine,) = standing.tournament, pov.game, pov.marks
    me = game.seat(mine) or ""
    own, lines = own_in(standing, me), _lines(standing, game.id, me)
    gained, points = _gained(pov, mine)
    match = match_in(standing, game.id)
    text, left_ms, has_time = _next(standing, pov, me)
    again = match is not None and match.games[0] == game.id and not has_time
    seconds = None if left_ms is None else max(1, -(-left_ms // 1000))
    return AfterView(
        id=event.id,
        game_id=game.id,
        gained=gained,
        points=points,
        place=place_in(standing, me) if lines else "",
        lines=lines,
        other=standing.people[game.seat(mine.other) or ""] if again else None,
        text=text,
        seconds=seconds,
        review=review_address(game, {}, mine) if has_time and game.moved else None,
        waits=event.state is State.RUNNING and own is not None and own.playing,
    )


def _lines(standing: Standing, game_id: str, me: str) -> tuple[Shown, ...]:
    """The player's line and its neighbours, as far as they are shown; at the end none.

    ``risen`` are the places gained by the game, negative for a fall.
    """
    others = (game for id_, game in standing.finished.items() if id_ != game_id)
    then, lines = table(standing.entrants, standing.matches, others), standing.table
    before = {line.player: line.place for line in then}
    at = next((at for at, line in enumerate(lines) if line.player == me), None)
    if at is None or standing.tournament.state is State.OVER:
        return ()
    first = max(0, min(at - 1, len(lines) - 3))
    return tuple(
        {
            "place": line.place,
            "player": standing.people[line.player],
            "points": line.points,
            "risen": before[line.player] - line.place,
        }
        for line in (lines[at : at + 1] if lines[at].place > at + 1 else lines[first : first + 3])
    )


def _gained(pov: Pov, mine: Mark) -> tuple[str, str]:
    outcome = pov.game.outcome
    if outcome is None or pov.game.cancelled:
        return _("No points: this game does not count."), ""
    points = DRAW if outcome.winner is None else WIN if outcome.winner is mine else LOSS
    if not points:
        return _("No points."), ""
    message = ngettext("{points} point.", "{points} points.", points)
    return message.format(points=f"+{points}"), f"+{points}"


def _next(standing: Standing, pov: Pov, me: str) -> tuple[str, int | None, bool]:
    """What comes next, after how many milliseconds, and whether there is time for anything else."""
    event, entrant = standing.tournament, own_in(standing, me)
    match = match_in(standing, pov.game.id)
    if event.state is State.OVER:
        return _("The tournament is over."), None, True
    if entrant is None or not entrant.playing:
        return (gone(entrant) if entrant else ""), None, True
    if standing.paused:
        return _(standing.paused), None, True
    if event.format is Format.ARENA and not event.left:
        return _("Time is up: the last games are being finished."), None, True
    if match and match.games[0] == pov.game.id:
        if len(match.games) > 1:
            return _("Your next game opens by itself."), None, False
        since = match.since if match.step is Step.BETWEEN else event.ticked_at
        return _("The second game starts in {seconds}\u00a0s."), rest_left_ms(event, since), False
    if event.format is Format.SWISS:
        return _after_a_pairing(event)
    is_done = match is not None and match.step is Step.DONE
    left_ms = rest_left_ms(event, entrant.free_since if is_done else event.ticked_at)
    if left_ms <= 0:
        return _("Your next game starts as soon as another player is free."), None, True
    return _("The next game starts in {seconds}\u00a0s or later."), left_ms, False


def _after_a_pairing(event: Tournament) -> tuple[str, int | None, bool]:
    seconds = next_in(event)
    if seconds is not None:
        return _("The next round starts in {seconds}\u00a0s."), 1000 * seconds, True
    if event.round == event.length:
        return _("That was your last game. The others are still playing."), None, True
    return _("The next round starts when all games in this one are over."), None, True


def about_in(standing: Standing, game_id: str) -> str:
    """Say what kind of tournament a game belongs to, and which game of its match it is."""
    event, match = standing.tournament, match_in(standing, game_id)
    about = _("Arena") if event.format is Format.ARENA else _("Round {round} of {rounds}")
    if match:
        number = match.games.index(game_id) + 1
        about = _("{tournament} · game {number} of 2").format(tournament=about, number=number)
    return about.format(round=match.round if match else 1, rounds=event.length)


def points_in(standing: Standing, player: str) -> str:
    for line in standing.table:
        if line.player == player:
            message = ngettext("{points} point · {place}", "{points} points · {place}", line.points)
            return message.format(points=line.points, place=words.ordinal(line.place))
    return ""


def place_in(standing: Standing, me: str) -> str:
    own = next((line.place for line in standing.table if line.player == me), None)
    return _("You are in place {place}.").format(place=own) if own else ""


def gone(own: Entrant) -> str:
    if own.missed >= NO_SHOWS:
        return _("You missed two games in a row, so you are out. You can come back.")
    return _("You are taking a break. You can come back.")


def next_in(event: Tournament) -> int | None:
    left_ms = break_left_ms(event)
    if left_ms is None or event.state is not State.RUNNING or event.round == event.length:
        return None
    return max(1, left_ms // 1000)


def own_in(standing: Standing, me: str) -> Entrant | None:
    return next((entrant for entrant in standing.entrants if entrant.player == me), None)


def match_in(standing: Standing, game_id: str) -> Match | None:
    return next((match for match in standing.matches if game_id in match.games), None)
