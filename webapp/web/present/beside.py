"""What a game of a tournament has brought to a player, and what comes next."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp.core.board import Mark
from webapp.service.pov import Pov
from webapp.service.refusals import PAUSED
from webapp.service.tournaments import Standing
from webapp.tournament.due import rest_left_ms
from webapp.tournament.event import Format, State, Step, Tournament
from webapp.tournament.table import DRAW, LOSS, WIN
from webapp.web.present.game import review_address
from webapp.web.present.tournament import gone, match_in, next_in, own_in, place
from webapp.words.language import _, ngettext


class AfterView(NamedTuple):
    """What a game has brought, and what comes next.

    :param id: of the tournament
    :param game_id: of the game
    :param gained: the points, in words
    :param place: the player's place, in words
    :param text: what comes next, with a place for the seconds
    :param seconds: in how many
    :param review: where the game is reviewed, if there is time for it
    :param waits: whether another game may come
    """

    id: str
    game_id: str
    gained: str
    place: str
    text: str
    seconds: int | None
    review: Mapping[str, str | None] | None
    waits: bool

    def __repr__(self) -> str:
        """Return what stands for it in the page's stamp: the seconds pass by themselves."""
        return repr((*self[:5], *self[6:]))


def present_after(standing: Standing, pov: Pov) -> AfterView:
    """Present what a finished game has brought to one of its players, and what comes next."""
    event, game, (mine,) = standing.tournament, pov.game, pov.marks
    me = game.seat(mine) or ""
    own, line = own_in(standing, me), next((o for o in standing.table if o.player == me), None)
    text, left_ms, has_time = _next(standing, pov, me)
    seconds = None if left_ms is None else max(1, -(-left_ms // 1000))
    return AfterView(
        id=event.id,
        game_id=game.id,
        gained=_gained(pov, mine),
        place=place(line.place) if line else "",
        text=text,
        seconds=seconds,
        review=review_address(game, {}, mine) if has_time and game.moved else None,
        waits=event.state is State.RUNNING and own is not None and own.playing,
    )


def _gained(pov: Pov, mine: Mark) -> str:
    outcome = pov.game.outcome
    if outcome is None or pov.game.cancelled:
        return _("No points: this game does not count.")
    points = DRAW if outcome.winner is None else WIN if outcome.winner is mine else LOSS
    if not points:
        return _("No points.")
    return ngettext("{points} point.", "{points} points.", points).format(points=f"+{points}")


def _next(standing: Standing, pov: Pov, me: str) -> tuple[str, int | None, bool]:
    """What comes next, in how many milliseconds, and whether there is time for anything else."""
    event, entrant, match = (
        standing.tournament,
        own_in(standing, me),
        match_in(standing, pov.game.id),
    )
    if event.state is State.OVER:
        return _("The tournament is over."), None, True
    if entrant is None or not entrant.playing:
        return (gone(entrant) if entrant else ""), None, True
    if standing.paused:
        return _(PAUSED), None, True
    if event.format is Format.ARENA and not event.left:
        return _("Time is up: the last games are played to their end."), None, True
    if match and match.games[0] == pov.game.id:
        if len(match.games) > 1:
            return _("Your next game opens by itself."), None, False
        since = match.since if match.step is Step.BETWEEN else event.elapsed
        return _("The second game begins in {seconds} s."), rest_left_ms(event, since), False
    if event.format is Format.SWISS:
        return _after_a_pairing(event)
    is_done = match is not None and match.step is Step.DONE
    left_ms = rest_left_ms(event, entrant.free_since if is_done else event.elapsed)
    if left_ms <= 0:
        return _("Your next game begins as soon as another player is free."), None, True
    return _("The next game begins in {seconds} s at the earliest."), left_ms, False


def _after_a_pairing(event: Tournament) -> tuple[str, int | None, bool]:
    """What comes next in a Swiss."""
    seconds = next_in(event)
    if seconds is not None:
        return _("The next round begins in {seconds} s."), 1000 * seconds, True
    if event.round == event.length:
        return _("That was your last game. The others are still playing."), None, True
    return _("The next round begins when all games of this one are over."), None, True
