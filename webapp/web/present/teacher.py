"""The teacher's page: who is here, what the wall shows, and what teachers have done."""

from collections.abc import Collection

from webapp.classroom import Wall
from webapp.core.game import Game, boards, moves_of
from webapp.service.lobby import LobbyView
from webapp.service.teacher import Desk
from webapp.service.tournaments import Standing
from webapp.tournament.event import Entrant, Format, State, Tournament
from webapp.web.present.lobby import Shown, title_of, versus
from webapp.words.language import _, ngettext


def present_teacher(desk: Desk) -> Shown:
    """Choose what the teacher's page shows of the class."""
    lobby, event = desk.lobby, desk.event
    entrants = _entrants(event) if event and event.tournament.state is not State.OVER else []
    lesson, wall = lobby.lesson, lobby.lesson.wall
    return {
        "paused_at": lesson.paused_at,
        "wall": wall,
        "on_the_wall": _on_the_wall(wall, lobby),
        "board": boards(moves_of(wall.moves))[wall.at] if wall.moves else None,
        "here": lobby.here,
        "games": lobby.games,
        "ended": [pairing for pairing in lobby.ended if pairing.game.moved],
        "names_locked": lesson.names_locked,
        "journal": desk.journal,
        "event": _event(event, lobby) if event else None,
        "entrants": [(one, _remark(one, desk.idle)) for one in entrants],
        "idle": any(one.player in desk.idle and not one.barred for one in entrants),
    }


def _on_the_wall(wall: Wall, lobby: LobbyView) -> str:
    """Say what the wall shows."""
    if wall.moves:
        last = len(wall.moves)
        message = ngettext(
            "A review, after {at} of {last} move", "A review, after {at} of {last} moves", last
        )
        return message.format(at=wall.at, last=last)
    if wall.game:
        known = (*lobby.games, *lobby.ended)
        shown = next((pairing for pairing in known if pairing.game.id == wall.game), None)
        return _("One game: {title}").format(title=versus(shown)) if shown else _("One game")
    return _("The tournament") if wall.tournament else _("The class")


def _event(standing: Standing, lobby: LobbyView) -> Shown:
    """The tournament: how far it is, who plays in it, who of them is missing, and who is not in it.

    A player is missing who is not here, or for whom a game waits.
    """
    found = standing.tournament
    stages = {
        State.WAITING: _("{title}: players can join."),
        State.RUNNING: _("{title}: it is being played."),
        State.OVER: _("{title}: it is over."),
    }
    here = {person.player.id for person in lobby.here}
    late = {_late(game, found) for game in standing.going.values()}
    playing = [entrant.player for entrant in standing.entrants if entrant.playing]
    joined = {
        player: {
            "player": standing.people[player],
            "remark": _where(is_here=player in here, is_late=player in late),
        }
        for player in playing
    }
    return {
        "id": found.id,
        "state": found.state.value,
        "stage": stages[found.state].format(title=title_of(found)),
        "is_swiss": found.format is Format.SWISS,
        "may_go_on": found.round_over is not None,
        "late": found.late,
        "joined": list(joined.values()),
        "absent": [joined[player] for player in playing if player in late or player not in here],
        "others": [person.player for person in lobby.here if person.player.id not in joined],
        "standing": standing,
    }


def _late(game: Game, event: Tournament) -> str | None:
    """The player for whom a game has waited for more than half of the time for a move."""
    waited = event.elapsed - game.moved_at
    return game.seat(game.turn) if game.turn and 2 * waited > 1000 * event.clock else None


def _where(*, is_here: bool, is_late: bool) -> str:
    """Say where a player of the tournament is."""
    if is_late:
        return _("here, but a game waits") if is_here else _("not here, and a game waits")
    return _("here") if is_here else _("not here")


def _entrants(standing: Standing) -> list[Entrant]:
    """Who is or was in a tournament, by name; not players who have deleted their data."""
    named = [entrant for entrant in standing.entrants if entrant.player in standing.people]
    return sorted(named, key=lambda one: str(standing.people[one.player]).casefold())


def _remark(entrant: Entrant, idle: Collection[str]) -> str:
    """Say what the teacher should know of a player of the tournament; may be empty."""
    if entrant.barred:
        return _("put out")
    if not entrant.playing:
        return _("has left")
    return _("has not moved yet") if entrant.player in idle else ""
