"""The teacher's page: who is here, what the wall shows, and what teachers have done."""

from collections.abc import Collection

from webapp import words
from webapp.analysis.lesson import Fault
from webapp.classroom import Played, Wall
from webapp.core.board import Board
from webapp.core.game import Game, boards, moves_of
from webapp.service.lobby import LobbyView
from webapp.service.teacher import Desk
from webapp.service.tournaments import Standing
from webapp.tournament.event import Entrant, Format, State, Tournament
from webapp.web.present.game import Engines
from webapp.web.present.lobby import Shown, title_of, versus
from webapp.web.present.results import names_of
from webapp.words.language import _, ngettext

_LINES, _BOARDS = 7, 6
"""How much of a table, and how many boards, the small picture of the wall shows."""


def present_teacher(desk: Desk) -> Shown:
    """Choose what the teacher's desk shows of the class."""
    lobby, event = desk.lobby, desk.event
    entrants = _entrants(event) if event and event.tournament.state is not State.OVER else []
    lesson, wall = lobby.lesson, lobby.lesson.wall
    going = [(pairing.game, pairing.x, pairing.o) for pairing in lobby.games]
    lines = [(place.place, player, place.rating) for place, player in lobby.table if place.place]
    small = going
    if event and event.tournament.state is State.RUNNING:
        seated = [(game, game.x_seat or "", game.o_seat or "") for game in event.going.values()]
        small = going = [(game, event.people[x], event.people[o]) for game, x, o in seated]
    if event and wall.tournament and not wall.menace:
        lines = [(line.place, event.people[line.player], line.points) for line in event.table]
        small = going if event.tournament.state is State.RUNNING else []
    return {
        "paused_at": lesson.paused_at,
        "wall": wall,
        "on_the_wall": _on_the_wall(wall, lobby),
        "board": _board(wall, desk.shown),
        "lines": lines[:_LINES],
        "boards": small[:_BOARDS],
        "here": lobby.here,
        "playing": _playing(lobby),
        "going": going,
        "games": lobby.games,
        "ended": [pairing for pairing in lobby.ended if pairing.game.moved],
        "names_locked": lesson.names_locked,
        "journal": desk.journal,
        "event": _event(event, lobby) if event else None,
        "asked": desk.asked,
        "homework": desk.homework,
        "entrants": [(one, _remark(one, desk.idle)) for one in entrants],
        "idle": any(one.player in desk.idle and not one.barred for one in entrants),
    }


def _playing(lobby: LobbyView) -> str:
    """Say how many of those who are here are playing."""
    playing = sum(person.playing is not None for person in lobby.here)
    message = ngettext("{playing} of {here} is playing", "{playing} of {here} are playing", playing)
    return message.format(playing=playing, here=len(lobby.here))


def _board(wall: Wall, shown: Game | None) -> Board | None:
    """The one board that the wall shows, if it does and the game is still there."""
    if wall.moves:
        return boards(moves_of(wall.moves))[wall.at]
    return shown.board if shown else None


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
    if wall.blank:
        return _("Nothing but how to join")
    if wall.menace:
        return "MENACE"
    if wall.quiz:
        return _("The end of the quiz")
    return _("The tournament") if wall.tournament else _("The class")


def _event(standing: Standing, lobby: LobbyView) -> Shown:
    """The tournament: how far it is, who plays in it, who is missing, and who is not in it.

    A player is missing who is not here, or for whom a game waits; or who is here and not in it.
    """
    found = standing.tournament
    here = {person.player.id for person in lobby.here}
    late = {_late(game, found) for game in standing.going.values()}
    playing = [entrant.player for entrant in standing.entrants if entrant.playing]
    joined = [
        (standing.people[one], _where(is_here=one in here, is_late=one in late)) for one in playing
    ]
    others = [(one.player, _("not in it")) for one in lobby.here if one.player.id not in playing]
    runs = found.state is State.RUNNING
    absent = [one for one in joined if runs and (one[0].id in late or one[0].id not in here)]
    finished = sum(
        game in standing.finished
        for match in standing.matches
        for game in match.games
        if match.round == found.round
    )
    going = len(standing.going)
    message = ngettext(
        "{going} game still going, {finished} finished",
        "{going} games still going, {finished} finished",
        going,
    )
    return {
        "id": found.id,
        "state": found.state.value,
        "title": title_of(found),
        "going": message.format(going=going, finished=finished),
        "is_swiss": found.format is Format.SWISS,
        "may_go_on": found.round_over is not None,
        "late": found.late,
        "joined": joined,
        "all": len(joined) + len(others),
        "missing": [*absent, *others],
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


# --- after the lesson -----------------------------------------------------------------------------


def title_of_played(game: Played, engines: Engines) -> str:
    """Say who has beaten whom in a game that is over, or that it was drawn."""
    x, o = (words.isolated(name or "") for name in names_of(game, engines))
    won, lost = (x, o) if game.outcome == "x" else (o, x)
    message = _("{x} and {o} drew") if game.outcome == "draw" else _("{winner} beat {loser}")
    return message.format(x=x, o=o, winner=won, loser=lost)


def wrong(fault: Fault) -> str:
    """Say how many got a position wrong, with which cells, and which ones are better."""
    message = ngettext(
        "{mark} to move, {faced} time, {wrong} wrong. Chosen: {chosen}. Better: {better}.",
        "{mark} to move, {faced} times, {wrong} wrong. Chosen: {chosen}. Better: {better}.",
        fault.faced,
    )
    counted = [f"{words.cell_name(cell)} ({number})" for cell, number in fault.chosen]
    chosen, better = words.listed(counted), words.listed(map(words.cell_name, fault.better))
    known = {"mark": fault.board.turn, "faced": fault.faced, "chosen": chosen, "better": better}
    return message.format(wrong=sum(number for _cell, number in fault.chosen), **known)
