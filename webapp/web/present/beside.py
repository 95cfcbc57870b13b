"""What a player sees of a tournament beside a game of it: above the board, and after the game."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp import words
from webapp.core.board import Mark
from webapp.service.pov import Pov
from webapp.service.refusals import PAUSED
from webapp.service.tournaments import REST, Beside
from webapp.tournament.event import Format, Match, State, Step, Tournament
from webapp.tournament.table import DRAW, LOSS, WIN
from webapp.web.present.game import review_address
from webapp.web.present.live import opponent_of
from webapp.web.present.passing import Seconds, Sentence
from webapp.web.present.tournament import gone, next_in, place
from webapp.words.language import _, ngettext


class SideView(NamedTuple):
    """One of two players: the points and the place in the table, in words."""

    name: str
    mark: str
    standing: str


class VersusView(NamedTuple):
    """What stands above the board.

    :param about: what kind of tournament it is, and which game of the pairing
    :param ends_in: the seconds that an arena goes on
    :param paused: whether the host has paused all games
    """

    about: str
    ends_in: int | None
    paused: bool
    mine: SideView
    other: SideView


class AfterView(NamedTuple):
    """What a game has brought, and what comes next.

    :param id: of the tournament
    :param game_id: of the game
    :param gained: the points, in words
    :param place: the player's place, in words
    :param text: what comes next
    :param seconds: in how many, as the text says
    :param review: where the game is reviewed, if there is time for it
    :param waits: whether another game may come
    """

    id: str
    game_id: str
    gained: str
    place: str
    text: str
    seconds: Seconds | None
    review: Mapping[str, str | None] | None
    waits: bool


def present_versus(found: Beside, pov: Pov) -> VersusView:
    """Present what stands above the board to one of the two players."""
    chosen, (mine,) = found.tournament, pov.marks
    arena = chosen.format is Format.ARENA
    about = _("Arena") if arena else _("Round {round} of {rounds}")
    if found.match and pov.game.id in found.match.games:
        number = found.match.games.index(pov.game.id) + 1
        about = _("{tournament} · game {number} of 2").format(tournament=about, number=number)
    return VersusView(
        about.format(round=found.match.round if found.match else 1, rounds=chosen.length),
        chosen.left // 1000 if arena and chosen.state is State.RUNNING else None,
        found.paused,
        _side(found, pov, mine, _("You")),
        _side(found, pov, mine.other, opponent_of(pov)),
    )


def _side(found: Beside, pov: Pov, mark: Mark, name: str) -> SideView:
    line, standing = found.lines.get(pov.game.seat(mark) or ""), ""
    if line:
        message = ngettext("{points} point · {place}", "{points} points · {place}", line.points)
        standing = message.format(points=line.points, place=words.ordinal(line.place))
    return SideView(name, mark.slug, standing)


def present_after(found: Beside, pov: Pov) -> AfterView:
    """Present what a finished game has brought to one of its players, and what comes next."""
    chosen, game, (mine,) = found.tournament, pov.game, pov.marks
    line = found.lines.get(game.seat(mine) or "")
    text, seconds, has_time = _next(found, pov)
    playing = found.entrant is not None and found.entrant.playing
    return AfterView(
        chosen.id,
        game.id,
        _gained(pov, mine),
        place(line.place) if line else "",
        text if seconds is None else Sentence(text.format(seconds=seconds)),
        seconds,
        review_address(game, {}, mine) if has_time and game.moved else None,
        chosen.state is State.RUNNING and playing,
    )


def _gained(pov: Pov, mine: Mark) -> str:
    outcome = pov.game.outcome
    if outcome is None or pov.game.cancelled:
        return _("No points: this game does not count.")
    points = DRAW if outcome.winner is None else WIN if outcome.winner is mine else LOSS
    if not points:
        return _("No points.")
    return ngettext("{points} point.", "{points} points.", points).format(points=f"+{points}")


def _next(found: Beside, pov: Pov) -> tuple[str, Seconds | None, bool]:
    """What comes next, in how many seconds, and whether there is time for anything else."""
    chosen, entrant, match = found.tournament, found.entrant, found.match
    if chosen.state is State.OVER:
        return _("The tournament is over."), None, True
    if entrant is None or not entrant.playing:
        return (gone(entrant) if entrant else ""), None, True
    if found.paused:
        return _(PAUSED), None, True
    if chosen.format is Format.ARENA and not chosen.left:
        return _("Time is up: the last games are played to their end."), None, True
    if match and match.games[0] == pov.game.id:
        if len(match.games) > 1:
            return _("Your next game opens by itself."), None, False
        since = match.since if match.step is Step.BETWEEN else chosen.elapsed
        seconds = _seconds(REST - (chosen.elapsed - since))
        return _("The second game begins in {seconds} s."), seconds, False
    if chosen.format is Format.SWISS:
        return _after_a_pairing(chosen)
    since = entrant.free_since if _is_done(match) else chosen.elapsed
    rest = REST - (chosen.elapsed - since)
    if rest <= 0:
        return _("Your next game begins as soon as another player is free."), None, True
    message = _("The next game begins in {seconds} s at the earliest.")
    return message, _seconds(rest), False


def _after_a_pairing(chosen: Tournament) -> tuple[str, Seconds | None, bool]:
    """What comes next in a Swiss."""
    seconds = next_in(chosen)
    if seconds is not None:
        return _("The next round begins in {seconds} s."), seconds, True
    if chosen.round == chosen.length:
        return _("That was your last game. The others are still playing."), None, True
    return _("The next round begins when all games of this one are over."), None, True


def _is_done(match: Match | None) -> bool:
    return match is not None and match.step is Step.DONE


def _seconds(milliseconds: int) -> Seconds:
    return Seconds(max(1, -(-milliseconds // 1000)))
