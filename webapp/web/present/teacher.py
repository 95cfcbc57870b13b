"""The teacher's page: who is here and what the wall shows."""

from webapp import words
from webapp.analysis.lesson import Fault
from webapp.classroom import Played
from webapp.core.board import Board
from webapp.core.game import boards, moves_of
from webapp.service.lobby import LobbyView
from webapp.service.teacher import Desk
from webapp.service.tournaments import Standing
from webapp.tournament.event import Entrant, Format, State
from webapp.web.present.game import Engines, name_of
from webapp.web.present.lobby import Shown, title_of, versus
from webapp.web.present.polls import position_sentence
from webapp.web.present.results import names_of
from webapp.web.present.wall import at_computer, shows
from webapp.words.language import _, ngettext, pgettext


def present_teacher(desk: Desk, engines: Engines) -> Shown:
    """Choose what the teacher's desk shows of the class."""
    lobby, event = desk.lobby, desk.event
    entrants = _entrants(event) if event and event.tournament.state is not State.OVER else []
    lesson, wall = lobby.lesson, lobby.lesson.wall
    shown = shows(
        wall, asked=desk.asked is not None, game=desk.shown is not None, gathers=lobby.gathers
    )
    games = lobby.games or lobby.at_computer
    going = [(one.game, one.x, one.o) for one in games]
    if event and event.tournament.state is State.RUNNING:
        seated = [(game, game.x_seat or "", game.o_seat or "") for game in event.going.values()]
        going = [(game, event.people[x], event.people[o]) for game, x, o in seated]
    return {
        "paused_at": lesson.paused_at,
        "wall": wall,
        "shows": shown,
        "gathers": lobby.gathers,
        "on_the_wall": _on_the_wall(shown, desk, engines),
        "board": _board(shown, desk),
        "here": lobby.here,
        "silent_in_s": lobby.silent_in_s,
        "playing": _playing(lobby),
        "going": going,
        "classmates": len(lobby.games),
        "at_computer": at_computer(lobby),
        "games": games,
        "ended": [pairing for pairing in lobby.ended if pairing.game.moved],
        "names_locked": lesson.names_locked,
        "event": _event(event, lobby) if event else None,
        "asked": desk.asked,
        "quizzes": desk.quizzes,
        "entrants": [(one, _remark(one)) for one in entrants],
    }


def _playing(lobby: LobbyView) -> str:
    """Say how many of those who are here are playing."""
    playing = sum(bool(person.playing or person.at_computer) for person in lobby.here)
    message = ngettext("{playing} of {here} is playing", "{playing} of {here} are playing", playing)
    return message.format(playing=playing, here=len(lobby.here))


def _board(shown: str, desk: Desk) -> Board | None:
    """The one board that the wall shows, if it does."""
    wall = desk.lobby.lesson.wall
    if shown == "review":
        return boards(moves_of(wall.moves or ""))[wall.at]
    if shown == "question" and desk.asked:
        return desk.asked.poll.board
    return desk.shown.board if shown == "game" and desk.shown else None


def _on_the_wall(shown: str, desk: Desk, engines: Engines) -> str:
    """Say what the wall shows."""
    wall, lobby, asked = desk.lobby.lesson.wall, desk.lobby, desk.asked
    if asked:
        return position_sentence(asked) or (
            _("Class against computer") if asked.round else _("A question to the class")
        )
    if shown == "review":
        last = len(wall.moves or "")
        message = ngettext(
            "A review, after {at} of {last} move", "A review, after {at} of {last} moves", last
        )
        return message.format(at=wall.at, last=last)
    if shown == "game":
        known = (*lobby.games, *lobby.ended, *lobby.at_computer)
        found = next((pairing for pairing in known if pairing.game.id == wall.game), None)
        if found is None:
            return _("One game")
        title = versus(found, name_of(found.game, engines))
        return _("One game: {title}").format(title=title)
    return {
        "come-in": pgettext("on the wall", "Come in"),
        "menace": "MENACE",
        "quiz": _("The end of the quiz"),
        "tournament": _("The tournament"),
        "class": _("The class"),
    }[shown]


def _event(standing: Standing, lobby: LobbyView) -> Shown:
    """The tournament: how far it is, who plays in it, who is missing, and who is not in it.

    A player is missing who is not here, or is here and not in it.
    """
    found = standing.tournament
    here = {person.player.id for person in lobby.here}
    playing = [entrant.player for entrant in standing.entrants if entrant.playing]
    joined = [
        (standing.people[one], _("here") if one in here else _("not here")) for one in playing
    ]
    others = [(one.player, _("not in it")) for one in lobby.here if one.player.id not in playing]
    runs = found.state is State.RUNNING
    absent = [one for one in joined if runs and one[0].id not in here]
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


def _entrants(standing: Standing) -> list[Entrant]:
    """Who is or was in a tournament, by name; not players who have deleted their data."""
    named = [entrant for entrant in standing.entrants if entrant.player in standing.people]
    return sorted(named, key=lambda one: str(standing.people[one.player]).casefold())


def _remark(entrant: Entrant) -> str:
    """Say what the teacher should know of a player of the tournament; may be empty."""
    if entrant.barred:
        return _("put out")
    return "" if entrant.playing else _("has left")


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
