"""Anything that a few people send, in any order: the site and a model of it never disagree.

What a move or an undo makes of a game the model asks ``core.game``, which has tests of its own. Its
own part is what stands between a request and the rows: who may do what, which refusal comes first,
what follows for settings and records. All that is stored is compared after each request, so nothing
can change that should not.
"""

from __future__ import annotations

import hashlib
import random
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, replace
from functools import partial
from random import Random
from typing import Any, TypeAlias
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run
from werkzeug.test import TestResponse

from tests.support.page import Page, is_html
from tests.support.people import Clock
from tests.support.visitor import FRAGMENT, Site
from webapp.config import Settings
from webapp.core.board import IllegalMove
from webapp.core.game import Game, Kind, NotAllowed
from webapp.core.options import Options
from webapp.core.record import Record
from webapp.engines.perfect import HARD
from webapp.engines.registry import ENGINES, Catalogue
from webapp.service.pov import PHASES
from webapp.service.presence import _GOING as GOING
from webapp.service.presence import HIDDEN_FOR, JUST, PRESENT_FOR
from webapp.service.seeks import SAME_AGAIN
from webapp.store import news
from webapp.store.games import columns
from webapp.store.presence import LONGEST
from webapp.web import create_app
from webapp.words import isolated

Fields: TypeAlias = Mapping[str, Any]

SEED = "tests"
FRESH = 15 * 60
OPPONENTS = ("easy", "medium", "hard", "corners", "rules:win,block", "friend")
KNOWN = Catalogue(ENGINES)

PLAYERS = st.integers(0, 2)
ANYBODY = st.integers(0, 3)
"""The last one is a stranger: plays nothing, and tries everything with the games of others."""
WHICH = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4, 5, -1])
"""Which game, the newest first; -1 is one that is no more."""
WAYS = st.booleans()
CELLS = st.lists(st.integers(0, 8), max_size=9)
ACTIONS = st.sampled_from(["again", "again", "undo", "hint", "resign"])
NUMBERS = st.lists(st.integers(0, 8), min_size=7, max_size=12)
VERSIONS = st.sampled_from([*["now"] * 12, "before", "after", "", "x", None])
SINCE = st.sampled_from([None, None, None, "now", "now and a game", "0", "0 and a game", "x"])
LOOKING = st.sampled_from([None, "div#class", "div#class", "div#game"])
"""Where htmx puts the answer to a player who looks for an opponent; or the form is a plain one."""
NEXT = st.sampled_from(["again", "again", "seek", "seek", "moves", "class"])
UNTIL = st.sampled_from([*[0] * 9, 4, 5, 59, 60, 599, 600])
SETTINGS = st.sampled_from(
    [*[{}] * 8, {"opponent": "hard", "mark": "o"}, {"opponent": "easy"}, {"mark": "alternate"}]
) | st.fixed_dictionaries(
    {},
    optional={
        "opponent": st.sampled_from([*OPPONENTS, "nobody"]),
        "mark": st.sampled_from(["x", "o", "alternate", "X"]),
    },
)
FORMS = st.builds(
    lambda form, more: {**form, **more},
    st.fixed_dictionaries({"cell": st.sampled_from([*range(9), 9, None]), "version": VERSIONS}),
    SETTINGS,
)
QUERIES = st.builds(
    lambda query, more: {**query, **more},
    st.fixed_dictionaries(
        {
            "since": VERSIONS,
            "phase": st.sampled_from([None, 0, 1, 2, 3, 4]),
            "away": st.sampled_from([None, 0, 1]),
        }
    ),
    SETTINGS,
)
POSITIONS = ("4", "40", "0312", "0314", "03142", "44", "9", "048176253")
STARTS = st.fixed_dictionaries(
    {
        "opponent": st.sampled_from([*OPPONENTS, *OPPONENTS, "nobody", ""]),
        "mark": st.sampled_from(["x", "x", "o", "alternate", "X"]),
        "cell": st.sampled_from([None, None, *range(9), *range(9), 9, -1]),
        "key": st.sampled_from([None, None, None, "", "k", "l"]),
        "moves": st.sampled_from([*[None] * 7, "", *POSITIONS]),
    }
) | st.builds(lambda moves, more: {"moves": moves, **more}, st.sampled_from(POSITIONS), SETTINGS)
GIVE_UP: tuple[Fields, Fields] = ({}, {"give_up": 1})
NAMES = ("Ada", "ada", "Bob", "Zoë", "", "a\tb", "x" * 21)
GOOD_NAMES = NAMES[:4]
EMPTY = ("", 0, "", "." * 9)

ALLOWED: Mapping[str, Callable[[Any], bool]] = {
    "opponent": OPPONENTS.__contains__,
    "mark": ("x", "o", "alternate").__contains__,
    "cell": range(9).__contains__,
    "moves": lambda value: set(value) <= set("012345678"),
    "version": lambda value: isinstance(value, int) and value >= 0,
}

_CELL = re.compile(r'<(button|span) id="c\d"([^>]*?) aria-label="[\w ]+, (X|O|empty)')
_GAME = re.compile(r'<div id="game" data-game="(.*?)" data-version="(\d+)" data-outcome="(\w*)"')
_SCORE = re.compile(r'<dl class="score".*?</dl>', re.DOTALL)
_ACTION = re.compile(r'<button id="(\w+)" form="(?:play|next)"[^>]* formaction=')
_GO_ON = re.compile(r'<p><a href="/games/([\w-]+)">')
_STRIP = re.compile(r'<div id="calls".*?</div>', re.DOTALL)
_CALL = re.compile(r'<a href="/games/([\w-]+)">.* (is here|has moved|asks for a rematch)[:<]')
_ASKED = re.compile(r'<a id="continue" [^>]*href="/games/([\w-]+)">')
_MINE = re.compile(r'<a id="mine" [^>]*href="/games/([\w-]+)"')
_LOOKING = re.compile(r"Looking for an opponent: (\d+) here, (\d+) looking")
_PERSON = re.compile(r'<li id="here-[^"]*"><b><bdi>(.*?)</bdi>(?: \(you\))?</b> <span>(.*?)</span>')
_LEVEL = re.compile(
    r'<th scope="row">([\w-]+)</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>'
)


class Refused(Exception):  # noqa: N818 - an answer that is expected
    """What a request gets that is not carried out."""

    def __init__(self, status: int) -> None:
        self.status = status


class Answer:
    """An answer as far as the model says something about it; other tests read all of it."""

    def __init__(self, response: TestResponse) -> None:
        self.status, self.headers, self.response = response.status_code, response.headers, response
        text = "" if response.status_code in (204, 303) else response.text
        self.strip = "".join(_STRIP.findall(text))
        self.text = _STRIP.sub("", text)
        self.refused = '<p class="refusal">' in self.text

    @property
    def game(self) -> tuple[str, int, str, str]:
        """Id, version, outcome and board of the game that is shown."""
        found = _GAME.search(self.text)
        assert found, self.text
        board = "".join(mark.replace("empty", ".") for *_, mark in _CELL.findall(self.text))
        return found[1], int(found[2]), found[3], board

    @property
    def playable(self) -> list[int]:
        cells = enumerate(_CELL.findall(self.text))
        return [n for n, (tag, more, _) in cells if tag == "button" and "type=" not in more]

    @property
    def score(self) -> tuple[int, ...] | None:
        found = _SCORE.search(self.text)
        return tuple(map(int, re.findall(r"<dd>(\d+)", found[0]))) if found else None


def given(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def wishes(fields: Fields) -> dict[str, str]:
    return {name: fields[name] for name in ("opponent", "mark") if name in fields}


def check_fields(fields: Fields, *needed: str, optional: tuple[str, ...] = ()) -> None:
    """Refuse a form in which a field that is read is missing or bad."""
    read = [*needed, *(name for name in optional if name in fields)]
    if not all(name in fields and ALLOWED[name](fields[name]) for name in read):
        raise Refused(422)


def free(game: Game) -> list[int]:
    return [cell for cell in range(9) if cell not in game.moves]


def expected(model: Callable[[], Game | None]) -> tuple[int, Game | None]:
    """The status of a refusal, 0 for none, and the game that is shown."""
    try:
        return 0, model()
    except Refused as refused:
        return refused.status, None
    except NotAllowed:
        return 409, None
    except IllegalMove:
        return 422, None


def replied(game: Game) -> Game:
    """The game after the engine's move, if it is the engine's turn."""
    if not game.engine_to_move:
        return game
    choice = KNOWN[game.engine or ""].choose(game.board, Random(f"{SEED}:{game.moves}"))
    return game.reply(choice.cell, choice.reason)


class FourPeople(RuleBasedStateMachine):
    """Three players and a stranger, who send each other's addresses around."""

    app: Flask
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.database = self.app.extensions["database"]
        with self.database.write() as connection:
            for table in ("games", "players", "records", "seeks", "presence"):
                connection.execute(sa.text(f"DELETE FROM {table}"))  # noqa: S608
            news.note(
                connection, results=True
            )  # so that nothing is remembered of the sequence before
        today = int(time.time()) // (24 * 60 * 60)
        self.jars = [[f"{number:043d}.{today}"] for number in range(4)]
        self.cookies = [jar[0] for jar in self.jars]
        # The model: what is stored, by id; of players by the digest of their cookie.
        self.games: dict[str, Game] = {}
        self.gone: list[Game] = []
        self.looking: dict[str, int] = {}  # since when
        self.keys: dict[tuple[str, str], str] = {}
        self.options: dict[str, Options] = {}
        self.names: dict[str, str | None] = {}
        self.records: dict[tuple[str, str], Record] = {}
        # Of each player's last page: when it asked, until when that counts, whether it was closed.
        self.here: dict[str, tuple[int, int, bool]] = {}

    @property
    def now(self) -> int:
        return int(self.clock())

    @property
    def people(self) -> list[str]:
        """The players that the four are by now."""
        return [hashlib.sha256(cookie[:43].encode()).hexdigest() for cookie in self.cookies]

    def rows(self, statement: str) -> list[Any]:
        with self.database.read() as connection:
            return list(connection.execute(sa.text(statement)))

    # --- the model: what a request makes of what is stored ----------------------------------------

    def add(self, game: Game, *, has_code: bool = False) -> Game:
        """Add a new game, under the id and the code that the site has given it."""
        rows = self.rows("SELECT id, code FROM games")
        ((game_id, code),) = [row for row in rows if row.id not in self.games]
        assert (code is not None) is has_code
        new = replace(game, id=game_id, code=code, version=1, changed_at=self.now)
        self.games[game_id] = new
        return new

    def change(self, before: Game, after: Game) -> Game:
        after = replace(after, version=before.version + 1, changed_at=self.now)
        self.games[after.id] = after
        for pair in after.results() if after.outcome and not before.outcome else ():
            player, opponent, result = pair
            new = Record(player, opponent, person=after.kind is Kind.TWO_DEVICES)
            record = self.records.get((player, opponent), new)
            self.records[player, opponent] = record.after(result)
        return after

    def remove(self, games: list[Game]) -> None:
        self.gone += games
        for game in games:
            del self.games[game.id]

    def options_of(self, player: str, fields: Fields) -> Options:
        return replace(self.options.get(player, Options()), **wishes(fields))

    def remember(self, player: str, options: Options | None = None) -> None:
        """Keep a player, whom the site gives a name where there is none."""
        self.options[player] = options or self.options.get(player, Options())
        self.names.setdefault(player, None)

    def started(self, player: str, fields: Fields) -> Game | None:
        """The game that a form begins; ``None`` where nobody has moved in it yet."""
        moves, key = fields.get("moves", ""), fields.get("key", "")
        needed = () if moves else ("opponent", "mark")
        check_fields(fields, *needed, optional=("opponent", "mark", "cell", "moves"))
        if (player, key) in self.keys:
            return self.games[self.keys[player, key]]
        options = self.options_of(player, fields)
        if moves:
            options = Options(**{"mark": "xo"[len(moves) % 2], **wishes(fields)})
        game = options.new_game(player)
        if moves:
            game = game.begin_from(tuple(map(int, moves)))
        if "cell" in fields and game.engine_to_move:
            raise Refused(422)
        game = replied(game.play(fields["cell"]) if "cell" in fields else game)
        if not moves:
            self.leave_others(player, game)
            self.remember(player, options.after(game))
        if game.moves:
            game = self.add(game)
            self.keys |= {(player, key): game.id} if key else {}
        return game if game.moves else None

    def leave_others(self, player: str, begun: Game) -> None:
        """A new game loses the older ones against the same engine, if leaving loses them."""
        for game in list(self.games.values()) if begun.moves else ():
            if player in game.players and game.engine == begun.engine and game.forfeits_if_left:
                self.change(game, game.leave())

    def changed(self, what: str, game: Game, player: str, fields: Fields) -> Game | None:
        """The game that a form leads to; ``None`` is the empty board, or no game any more."""
        if game.id not in self.games:
            raise Refused(404)
        needed = {"again": (), "moves": ("version", "cell")}.get(what, ("version",))
        check_fields(fields, *needed, optional=() if needed else ("opponent", "mark"))
        if player not in game.players:
            raise Refused(403)
        if what == "again":
            return self.followed(game, player, fields)
        if fields["version"] != game.version:
            raise Refused(409)
        if what == "resign" and game.open:
            self.remove([game])
            return None
        return self.change(game, self.acted(what, game, player, fields.get("cell", 0)))

    def acted(self, what: str, game: Game, player: str, cell: int = 0) -> Game:
        mark = next(iter(game.marks_of(player)))
        if what == "moves":
            by = mark if game.kind is Kind.TWO_DEVICES else None
            return replied(game.play(cell, by))
        if what == "undo":
            return game.undo()
        if what == "hint":
            game.check_going()
            choice = HARD.choose(game.board, Random(f"{SEED}:{game.moves}"))
            return game.suggest(choice.cell, choice.reason)
        if what == "claim":
            return game.claim(mark, self.now - game.changed_at)
        return game.resign(mark)

    def followed(self, game: Game, player: str, fields: Fields) -> Game | None:
        if game.next_id:
            return self.games[game.next_id]
        if game.kind is Kind.TWO_DEVICES:
            (mark,) = game.marks_of(player)
            if not game.outcome:
                raise Refused(409)
            if game.rematch is mark:
                return game
            if game.rematch is None:
                return self.change(game, game.ask_rematch(mark))
            if any(map(self.held, game.players)):
                raise Refused(409)
            for one in game.players:
                self.withdraw(one)
            new = self.add(game.swapped(""))
            self.change(game, replace(game, next_id=new.id))
            return self.begun(new)
        options = self.options_of(player, fields)
        following = replied(options.new_game(player))
        self.remember(player, options.after(following))
        left = game if game.outcome else game.leave()
        if following.moves:
            following = self.add(following)
            left = replace(left, next_id=following.id)
        if left != game:
            self.change(game, left)
        return following if following.moves else None

    def joined(self, game: Game, player: str, give_up: bool) -> Game:
        if game.id not in self.games:
            raise Refused(404)
        if player not in game.players or game.open:
            joined, (host,) = game.join(player), game.players
            if (self.held(player) and not give_up) or self.held(host):
                raise Refused(409)
            self.give_up(player)
            game = self.begun(self.change(game, joined))
            self.withdraw(player)
            self.remember(player)
        return game

    def sought(self, player: str, *, give_up: bool) -> Game | None:
        """The game with a player who looks for an opponent; ``None`` while there is no one."""
        if self.held(player) and not give_up:
            raise Refused(409)
        if give_up:
            self.give_up(player)
            self.withdraw(player)
        waiting = self.seeks(here=True)
        if other := self.suitable(player, waiting):
            return self.paired(other, player)
        if player not in waiting:
            self.withdraw(player)
            self.remember(player)
            self.looking[player] = self.now
        return None

    def seeks(self, *, here: bool) -> list[str]:
        """Players who look and can be paired, or cannot: the longest waiting first."""
        found = [
            player
            for player in self.looking
            if here is (self.looks_here(player) and not self.held(player))
        ]
        return sorted(found, key=lambda player: (self.looking[player], player))

    def suitable(self, player: str, waiting: list[str]) -> str | None:
        """The first of them, but not the last opponent before both have waited."""
        last = self.last(player)
        for other in waiting:
            since = max(self.looking[other], self.looking.get(player, self.now))
            waited = player in waiting and self.now - since >= SAME_AGAIN
            if other != player and (last is None or waited or self.last(other) != last):
                return other
        return None

    def last(self, *players: str) -> Game | None:
        """The game that ended last of those that these all played between two devices."""
        ended = [
            game
            for game in self.games.values()
            if game.kind is Kind.TWO_DEVICES and game.outcome and game.players >= {*players}
        ]
        return min(ended, key=lambda game: (-game.changed_at, game.id), default=None)

    def paired(self, other: str, player: str) -> Game:
        """A game of the two, with the marks that the site has drawn, or not those of last time."""
        rows = self.rows("SELECT id, x_seat, o_seat FROM games")
        ((x, o),) = [
            row[1:] for row in rows if row.id not in self.games and {*row[1:]} == {player, other}
        ]
        before = self.last(player, other)
        assert before is None or before.x_seat == o
        for one in (player, other):
            self.withdraw(one)
        self.remember(player)
        return self.begun(self.add(Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o)))

    def begun(self, game: Game) -> Game:
        """A game that has just begun between two devices: neither player sits in another one."""
        assert [self.held(player) for player in game.players] == [[game], [game]]
        return game

    def held(self, player: str) -> list[Game]:
        """The games that keep a player from another one with a classmate."""
        steady = self.clock.steady_for()
        return [
            game
            for game in self.games.values()
            if player in game.players
            and game.holds(player, int(max(0, min(self.now - game.changed_at, steady))))
        ]

    def give_up(self, player: str) -> None:
        for game in self.held(player):
            self.change(game, game.leave_for_another(*game.marks_of(player)))

    def forgotten(self, player: str) -> None:
        """A player goes; games with others who are still there stay, with no one in the seat."""
        stand_ins = {player: player}
        self.looking.pop(player, None)
        for before in [one for one in self.games.values() if player in one.players]:
            game = before
            (*others,) = game.players - {player}
            if game.open or not {*others} & self.names.keys():
                self.remove([game])
                continue
            if not game.outcome:
                game = self.change(before, before.resign(*game.marks_of(player)))
            ((x, o),) = self.rows(f"SELECT x_seat, o_seat FROM games WHERE id = '{game.id}'")  # noqa: S608
            (stand_ins[player],) = {x, o} - {*others}
            assert stand_ins[player] not in {player, *self.names}
            self.games[game.id] = replace(
                game, x_seat=x, o_seat=o, version=game.version + 1, rematch=None
            )
        kept = [one for (owner, _), one in self.records.items() if owner != player]
        kept = [replace(one, opponent=stand_ins.get(one.opponent, one.opponent)) for one in kept]
        self.records = {(one.player, one.opponent): one for one in kept}

    def withdraw(self, player: str) -> None:
        """A player has one challenge or looks, and does neither after finding an opponent."""
        self.looking.pop(player, None)
        self.remove([one for one in self.games.values() if one.open and player in one.players])

    # --- sending, and what comes back -------------------------------------------------------------

    def send(
        self,
        who: int,
        method: str,
        address: str,
        fields: Fields | None = None,
        htmx: bool = False,
        **more: str,
    ) -> Answer:
        cookie = {"Cookie": f"player={self.cookies[who]}"}
        headers = {**cookie, **more, **(FRAGMENT if htmx else {})}
        client = self.app.test_client(use_cookies=False)
        answer = Answer(client.open(address, method=method, data=fields, headers=headers))
        assert answer.status < 500
        if address not in ("/you/new", "/you/forget"):
            assert "Set-Cookie" not in answer.headers
        return answer

    def shows(self, answer: Answer, game: Game | None, who: int, htmx: bool = False) -> None:
        """Hold the answer to an accepted form against the game that it leads to."""
        address = f"/games/{game.id}" if game else "/"
        if not htmx:
            assert (answer.status, answer.headers["Location"]) == (303, address)
            return
        assert answer.headers.get("HX-Push-Url", address) == address
        if game:
            self.check(answer, game, who)
        else:
            assert "HX-Push-Url" in answer.headers
            self.check_front(answer, who, {})

    def check(self, answer: Answer, game: Game, who: int) -> None:
        """Hold a board against the model."""
        player = self.people[who]
        outcome = game.outcome.slug if game.outcome else ""
        assert answer.game == (game.id, game.version, outcome, str(game.board))
        mine = game.turn in game.marks_of(player)
        assert answer.playable == (free(game) if mine else [])
        assert ('<form id="play"' in answer.text) is (player in game.players)
        waits = game.kind is Kind.TWO_DEVICES and game.turn and not mine
        assert (" is thinking</" in answer.text) is bool(waits and not self.is_away(game, who))
        actions = {"again" if one == "new" else one for one in _ACTION.findall(answer.text)}
        assert actions == self.offered(game, player)
        against = next(iter(game.players - {player}), game.engine)
        kept = against and player in game.players and not game.open
        assert answer.score == (self.score(player, against or "") if kept else None)

    def is_away(self, game: Game, who: int) -> bool:
        """Whether a viewer waits for a player who is not here."""
        mover = game.turn and game.seat(game.turn)
        if game.kind is not Kind.TWO_DEVICES or mover is None or mover == self.people[who]:
            return False
        begun = len(game.moves) < 2 and self.now - game.changed_at < JUST
        return not (begun or self.is_here(mover))

    def is_here(self, player: str) -> bool:
        _, until, _ = self.here.get(player, (0, 0, False))
        return 0 <= until - self.clock.milliseconds() <= LONGEST

    def seen(self, who: int, seconds: float, *, left: bool = False) -> None:
        """A player is here for so long, as is written down now; what is far from now is deleted."""
        self.app.extensions["presence"].write({})
        now = self.clock.milliseconds()
        self.here = {one: at for one, at in self.here.items() if abs(at[0] - now) <= LONGEST}
        self.here[self.people[who]] = now, now + int(1000 * seconds), left

    def check_calls(self, answer: Answer, who: int, at: str = "") -> None:
        """Hold what calls from the top of a page against the model."""
        player = self.people[who]
        games = [
            game
            for game in self.games.values()
            if (player in game.players and game.kind is Kind.TWO_DEVICES and game.id != at)
            and (not game.outcome or not (game.next_id or game.changed_at < self.now - PHASES[-1]))
        ]
        assert ("hx-get=" in answer.strip) is bool(games)
        playing = any(game.turn for game in games)
        expected = {}
        for game in games:
            (mine,) = game.marks_of(player)
            if game.outcome and game.rematch is mine.other and not playing:
                expected[game.id] = "asks for a rematch"
            elif game.turn and not game.moves:
                expected[game.id] = "is here"
            elif game.turn is mine:
                expected[game.id] = "has moved"
        said = _CALL.findall(answer.strip)
        assert set(said) <= set(expected.items())
        assert len(said) == bool(expected) or len(games) > 3

    def offered(self, game: Game, player: str) -> set[str]:
        """What there is to be pressed beside the board."""
        if player not in game.players:
            return set()
        offered = {
            what
            for what in ("undo", "hint", "resign", "claim")
            if not expected(partial(self.acted, what, game, player))[0]
        }
        asked = game.rematch in game.marks_of(player) and not game.next_id
        again = game.kind is not Kind.TWO_DEVICES or (game.outcome and not asked)
        found = {"seek"} if game.kind is Kind.TWO_DEVICES and game.outcome else set()
        return offered | found | ({"again"} if again else set())

    def score(self, player: str, opponent: str) -> tuple[int, int, int]:
        record = self.records.get((player, opponent), Record(player, opponent))
        return record.won, record.drawn, record.lost

    def check_front(self, answer: Answer, who: int, chosen: Fields) -> None:
        """Hold the empty board, and what it leads back to, against the model."""
        player = self.people[who]
        game = self.options_of(player, chosen).new_game(player)
        mine = [one for one in self.games.values() if player in one.players and not one.outcome]
        boards = {
            one.id: str(one.board)
            for one in mine
            if one.engine == game.engine and one.forfeits_if_left
        }
        asked = _ASKED.findall(answer.text)
        assert len(asked) == bool(boards), "about a game that a new one counts as lost"
        board = boards[asked[0]] if asked else EMPTY[-1]
        assert (answer.status, answer.game) == (200, (*EMPTY[:3], board))
        assert answer.playable == ([] if asked or game.engine_to_move else free(game))
        assert answer.score == (self.score(player, game.engine) if game.engine else None)
        live = {one.id for one in mine if one.kind is Kind.TWO_DEVICES}
        undone = {one.id for one in mine if one.assisted and one.kind is Kind.ENGINE}
        others = undone.union(one.id for one in mine if one.moves) - live
        assert [one in live for one in _GO_ON.findall(answer.text)] == [
            *[True] * bool(live),
            *[False] * bool(others and not asked),
        ]
        assert set(_GO_ON.findall(answer.text)) <= live | others

    def idle_until(self, game: Game, seconds: int) -> None:
        """Let time pass until a game has not changed for so long, if it has not been longer."""
        self.clock.goes_on(max(0, game.changed_at + seconds - self.now))

    def newest(self, which: int, wanted: Callable[[Game], object] = bool) -> Game:
        games = self.gone if which < 0 and self.gone else [*self.games.values()]
        games = [game for game in games if wanted(game)] or games
        return games[-1 - which % len(games)]

    @staticmethod
    def stated(fields: Fields, game: Game) -> dict[str, Any]:
        """The fields with a version that is right, or one off, or as it stands there."""
        numbers = {"now": game.version, "before": game.version - 1, "after": game.version + 1}
        return {name: numbers.get(value, value) for name, value in given(fields).items()}

    # --- playing --------------------------------------------------------------------------------

    @rule(who=PLAYERS, fields=STARTS, htmx=WAYS)
    def start(self, who: int, fields: Fields, htmx: bool) -> None:
        answer = self.send(who, "POST", "/games", given(fields), htmx)
        refused, game = expected(lambda: self.started(self.people[who], given(fields)))
        if refused:
            assert (answer.status, answer.refused) == (refused, True)
            assert answer.game[:3] == EMPTY[:3]  # its board may be one that is asked about
        else:
            self.shows(answer, game, who, htmx)

    def act(self, who: int, game: Game, what: str, fields: Fields, htmx: bool = False) -> None:
        """Send a form about a game; what is refused shows the true board."""
        answer = self.send(who, "POST", f"/games/{game.id}/{what}", fields, htmx)
        refused, shown = expected(lambda: self.changed(what, game, self.people[who], fields))
        if refused:
            assert (answer.status, answer.refused) == (refused, refused != 404)
            if refused != 404:
                self.check(answer, game, who)
        elif game.id in self.games:
            self.shows(answer, shown, who, htmx)
        else:  # a challenge that is withdrawn leads to the class
            assert answer.headers["HX-Redirect" if htmx else "Location"] == "/class"

    @precondition(lambda self: self.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        what=st.sampled_from(["moves", "undo", "hint", "again", "resign", "claim"]),
        fields=FORMS,
        until=UNTIL,
        seated=st.sampled_from([True, True, True, False]),
        htmx=WAYS,
    )
    def send_a_form(
        self, *, who: int, which: int, what: str, fields: Fields, until: int, seated: bool,
        htmx: bool,
    ) -> None:  # fmt: skip
        """Anyone sends anything; what a form does not read may stand in it all the same."""
        game = self.newest(which)
        self.idle_until(game, until)
        if seated:
            who = (self.players(game) * 4 or [who] * 4)[who]
        self.act(who, game, what, self.stated(fields, game), htmx)

    def play(self, game: Game, numbers: list[int], htmx: bool = False) -> Game:
        """The players move in turn; the numbers say which of the free cells."""
        for number in numbers:
            mover = game.turn and game.seat(game.turn)
            if mover not in self.people:
                break
            fields = {"cell": free(game)[number % len(free(game))], "version": game.version}
            self.act(self.people.index(mover), game, "moves", fields, htmx)
            game = self.games.get(game.id, game)
        return game

    def players(self, game: Game) -> list[int]:
        return [who for who in range(4) if self.people[who] in game.players]

    @precondition(lambda self: self.games)
    @rule(which=WHICH, cells=CELLS, then=st.lists(ACTIONS, max_size=4), more=SETTINGS, htmx=WAYS)
    def play_on(
        self, *, which: int, cells: list[int], then: list[str], more: Fields, htmx: bool
    ) -> None:
        """Play for a while, or to the end; then the players do something else, by turns."""
        game = self.play(self.newest(which), cells, htmx)
        for who, what in zip(self.players(game) * 4, then, strict=False):
            game = self.games.get(game.id, game)
            self.act(who, game, what, {"version": game.version, **more}, htmx)

    @rule(who=PLAYERS, opponent=st.sampled_from(OPPONENTS), numbers=NUMBERS)
    def play_game_after_game(self, who: int, opponent: str, numbers: list[int]) -> None:
        """Enough for the oldest to count no more; some are left for the next one."""
        for at in range(0, len(numbers), 3):
            fields = {"opponent": opponent, "mark": "x", "cell": numbers[at]}
            self.start(who=who, fields=fields, htmx=False)
            self.play(self.newest(0), numbers[at + 1 : at + 5])

    # --- two people -----------------------------------------------------------------------------

    @rule(
        who=PLAYERS,
        mark=st.sampled_from(["x", "x", "o", "o", "random", "alternate", ""]),
        give_up=WAYS,
    )
    def challenge(self, who: int, mark: str, give_up: bool) -> None:
        player = self.people[who]
        answer = self.send(who, "POST", "/challenges", {"mark": mark, **GIVE_UP[give_up]})
        if mark not in ("x", "o", "random"):
            assert answer.status == 422
            return
        if self.held(player) and not give_up:
            assert answer.status == 409
            return
        self.give_up(player)
        seats = dict(self.rows("SELECT '/games/' || id, x_seat FROM games"))
        has_x = seats[answer.headers["Location"]] is not None
        assert mark == "random" or has_x is (mark == "x")
        self.withdraw(player)
        self.remember(player)
        x_seat, o_seat = (player, None) if has_x else (None, player)
        new = Game(kind=Kind.TWO_DEVICES, x_seat=x_seat, o_seat=o_seat)
        game = self.add(new, has_code=True)
        self.shows(answer, game, who)

    @rule(who=PLAYERS, other=PLAYERS, mark=st.sampled_from("xo"), cells=CELLS)
    def sit_down(self, who: int, other: int, mark: str, cells: list[int]) -> None:
        """One challenges, another joins, and they begin to play."""
        self.challenge(who=who, mark=mark, give_up=True)
        game = self.newest(0)
        self.join(other, game, str.upper, give_up=True)
        self.play(self.games[game.id], cells)

    @precondition(lambda self: any(game.code for game in [*self.games.values(), *self.gone]))
    @rule(who=PLAYERS, which=WHICH, written=st.sampled_from([str.upper, str.lower]), give_up=WAYS)
    def try_a_code(
        self, who: int, which: int, written: Callable[[str], str], give_up: bool
    ) -> None:
        games = [game for game in [*self.gone, *self.games.values()] if game.code]
        self.join(who, games[-1 - which % len(games)], written, give_up)

    def join(self, who: int, game: Game, written: Callable[[str], str], give_up: bool) -> None:
        answer = self.send(who, "POST", f"/join/{written(game.code or '')}", GIVE_UP[give_up])
        refused, joined = expected(lambda: self.joined(game, self.people[who], give_up))
        if refused:
            assert answer.status == refused
        else:
            self.shows(answer, joined, who)

    @rule(who=PLAYERS, give_up=WAYS, onto=LOOKING)
    def seek(self, who: int, give_up: bool, onto: str | None) -> None:
        player, fields = self.people[who], GIVE_UP[give_up]
        answer = self.press(who, "/seeks", fields, onto)
        refused, game = expected(lambda: self.sought(player, give_up=give_up))
        if game:
            self.leads(answer, onto, game)
        elif not refused:
            self.shows_class(answer, who, onto)
        elif led := self.just_begun(player) or (self.held(player) if onto else []):
            self.leads(answer, onto, *led)
        else:
            assert answer.status == refused

    @rule(who=PLAYERS, onto=LOOKING)
    def seek_no_more(self, who: int, onto: str | None) -> None:
        player = self.people[who]
        answer = self.press(who, "/seeks/cancel", {}, onto)
        self.looking.pop(player, None)
        if onto == "div#class" and "HX-Redirect" in answer.headers:
            mine = [one for one in self.games.values() if player in one.players]
            going = [one for one in mine if one.kind is Kind.TWO_DEVICES and one.turn]
            self.leads(answer, onto, *going)
        else:
            self.shows_class(answer, who, onto)

    @rule(
        order=st.permutations(range(3)),
        three=WAYS,
        seconds=st.sampled_from([0, 2, 3]),
        cells=CELLS,
        then=st.lists(NEXT, min_size=3, max_size=6),
    )
    def play_who_comes(
        self, *, order: list[int], three: bool, seconds: int, cells: list[int], then: list[str]
    ) -> None:
        """Two or three look for an opponent; two of them play, and go on in any way by turns."""
        for who in order[: 2 + three]:
            self.seek(who=who, give_up=True, onto=None)
        self.clock.goes_on(seconds)
        self.pair_who_waits()
        game = self.newest(0, lambda one: one.kind is Kind.TWO_DEVICES and one.turn)
        game = self.play(game, cells)
        self.idle_until(game, 60 if game.turn else 0)
        for who, what in zip(self.players(game) * 3, then, strict=False):
            if what == "seek":
                self.seek(who=who, give_up=False, onto=None)
            elif what == "moves":
                game = self.play(game, [0])
            elif what == "class":
                self.look_at_the_class(who=who, since="0 and a game", dest="document", htmx=True)
            else:
                self.act(who, self.games.get(game.id, game), what, {})
        self.pair_who_waits()

    @rule()
    def pair_who_waits(self) -> None:
        """As every worker does each second."""
        self.app.extensions["seeks"].pair_all()
        for player in self.seeks(here=False):
            del self.looking[player]
        for player in self.seeks(here=True):
            waiting = self.seeks(here=True)
            if player in waiting and (other := self.suitable(player, waiting)):
                self.paired(other, player)

    def press(self, who: int, address: str, fields: Fields, onto: str | None) -> Answer:
        self.clock.goes_on(1)  # for so long a worker takes the class as it was
        more = {"HX-Target": onto} if onto else {}
        return self.send(who, "POST", address, fields, htmx=bool(onto), **more)

    def leads(self, answer: Answer, htmx: object, *games: Game) -> None:
        """Hold an answer that leads to a game against those that it may lead to."""
        assert answer.status == (200 if htmx else 303)
        address = answer.headers["HX-Redirect" if htmx else "Location"]
        assert address in {f"/games/{game.id}" for game in games}

    def shows_class(self, answer: Answer, who: int, onto: str | None) -> None:
        """Hold an answer against the class: a page that has it already gets it at once."""
        if onto == "div#class":
            self.check_class(answer, who)
        else:
            assert answer.headers["HX-Redirect" if onto else "Location"] == "/class"

    def just_begun(self, player: str) -> list[Game]:
        return [game for game in self.held(player) if len(game.moves) < 2]

    # --- looking --------------------------------------------------------------------------------

    @precondition(lambda self: self.games)
    @rule(who=ANYBODY, which=WHICH, query=QUERIES, until=UNTIL, htmx=WAYS)
    def look(self, *, who: int, which: int, query: Fields, until: int, htmx: bool) -> None:
        game = self.newest(which)
        self.idle_until(game, until)
        self.look_at(who, game, self.stated(query, game), htmx)

    @precondition(lambda self: any(game.turn and not game.engine for game in self.games.values()))
    @rule(which=WHICH, until=UNTIL, phase=st.integers(0, 3), claim=WAYS)
    def wait_for_the_other(self, which: int, until: int, phase: int, claim: bool) -> None:
        """Both ask for news at a moment when time may have made some, and may claim the game."""
        game = self.newest(which, lambda one: one.kind is Kind.TWO_DEVICES and one.turn)
        self.idle_until(game, until)
        for who in self.players(game):
            self.look_at(who, game, {"since": game.version, "phase": phase}, htmx=True)
            if claim:
                self.act(who, game, "claim", {"version": game.version})
                game = self.games.get(game.id, game)

    def look_at(self, who: int, game: Game, query: Fields, htmx: bool) -> None:
        """Look from a page of today's, or of earlier, where nothing is said of an absence."""
        since, phase, away = (query.get(name) for name in ("since", "phase", "away"))
        readable = ALLOWED["version"](since)
        if readable and away is not None:
            query = {**query, "since": f"{since}.{phase or 0}.{away}"}
        answer = self.send(who, "GET", f"/games/{game.id}?{urlencode(query)}", htmx=htmx)
        if game.id not in self.games:
            assert answer.status == 404
        elif "since" in query and (not readable or phase == 4):
            assert (answer.status, answer.refused) == (422, True)
        else:
            self.check_look(answer, game, who, (since, phase or 0, bool(away)), htmx)
        if readable:
            self.seen(who, PRESENT_FOR if htmx else HIDDEN_FOR)

    def check_look(
        self, answer: Answer, game: Game, who: int, seen: tuple[Any, Any, bool], htmx: bool
    ) -> None:
        """Hold a game, or that there is nothing new, against the model."""
        live = game.kind is Kind.TWO_DEVICES
        passed = sum(self.now - game.changed_at >= moment for moment in PHASES) if live else 0
        since, phase, away = seen
        if since == game.version and passed <= phase and away == self.is_away(game, who):
            # A page keeps what it was told, also where the clock now says less.
            assert answer.status == 204
        elif htmx and live and game.next_id:
            assert answer.headers["HX-Redirect"] == f"/games/{game.next_id}"
        else:
            assert answer.status == 200
            self.check(answer, game, who)
            if not htmx and is_html(answer.response):
                self.check_calls(answer, who, game.id if live else "")
                Page(answer.response)  # which checks every tag of it

    @rule(who=ANYBODY, chosen=SETTINGS, htmx=WAYS)
    def go_home(self, who: int, chosen: Fields, htmx: bool) -> None:
        answer = self.send(who, "GET", f"/?{urlencode(chosen)}", htmx=htmx)
        if all(ALLOWED[name](value) for name, value in chosen.items()):
            self.check_front(answer, who, chosen)
            if not htmx:
                self.check_calls(answer, who)
        else:
            assert answer.status == 422

    @rule(who=PLAYERS, seldom=WAYS)
    def ask_for_calls(self, who: int, seldom: bool) -> None:
        answer = self.send(who, "GET", "/calls?since=0", htmx=not seldom)
        self.check_calls(answer, who)
        self.seen(who, HIDDEN_FOR if seldom else PRESENT_FOR)

    @rule(who=PLAYERS)
    def close_a_page(self, who: int) -> None:
        assert self.send(who, "POST", "/goodbye").status == 204
        self.seen(who, GOING, left=True)

    @rule(who=ANYBODY, since=SINCE, dest=st.sampled_from(["document", "image"]), htmx=WAYS)
    def look_at_the_class(self, who: int, since: str | None, dest: str, htmx: bool) -> None:
        self.clock.goes_on(5)  # for so long a worker takes as it was what time alone changes
        player = self.people[who]
        ((count,),) = self.rows("SELECT count FROM news")
        game = next(reversed(self.games.values()), Game(id=22 * "A"))
        stamps = {"now": str(count), "and": "", "a": "", "game": f".{game.id}.{game.version}"}
        asked = "".join(stamps.get(word, word) for word in (since or "").split())
        query = f"?since={asked}" if since else ""
        answer = self.send(who, "GET", f"/class{query}", None, htmx, **{"Sec-Fetch-Dest": dest})
        if since == "x":
            assert answer.status == 422
        elif "." in asked and self.just_begun(player):
            self.leads(answer, htmx, *self.just_begun(player))
        elif since and "now" in since:
            assert answer.status == 204
        else:
            if dest == "document" and not htmx:
                self.remember(player)
                if not self.is_here(player):
                    self.seen(who, PRESENT_FOR)
            self.check_class(answer, who)
            self.check_table(answer)
            if not htmx:
                self.check_calls(answer, who)
                Page(answer.response)
        if since not in (None, "x"):
            self.seen(who, PRESENT_FOR if htmx else HIDDEN_FOR)

    def check_class(self, answer: Answer, who: int) -> None:
        """Hold the class, as one of its players sees it, against the model."""
        player = self.people[who]
        assert answer.status == 200
        self.everybody_is_remembered_and_nobody_else()  # which learns the names
        # A clock that has not gone evenly for as long makes nothing old.
        oldest = self.now - FRESH if self.clock.steady_for() > FRESH else 0
        shown = [
            game
            for game in self.games.values()
            if game.kind is Kind.TWO_DEVICES
            and not game.outcome
            and (player in game.players or game.changed_at >= oldest)
            and (player in game.players or not game.open or self.waits_here(game))
        ]
        self.check_finder(answer, player, shown)
        challenges = [game for game in shown if game.open]
        mine = {game.code for game in challenges if player in game.players}
        others = {game.code for game in challenges} - mine
        going = {game.id for game in shown if not game.open}
        assert set(re.findall(r"Your open game, code (\w{6})", answer.text)) == mine
        assert set(re.findall(r'action="/join/(\w{6})"', answer.text)) == others
        assert set(re.findall(r'<a id="to-([\w-]+)"', answer.text)) == going
        levels = {(name.lower(), *map(int, more)) for name, *more in _LEVEL.findall(answer.text)}
        assert levels == {
            (slug, one.won, one.drawn, one.lost, one.best_run)
            for (owner, slug), one in self.records.items()
            if owner == player and slug in ENGINES
        }

    def check_table(self, answer: Answer) -> None:
        """Hold who stands in the table against the model."""
        rated = {player for player, _ in self.records}
        for other, name in self.names.items():
            listed = f'<th scope="row"><bdi>{isolated(name or "")}</bdi>' in answer.text
            against = {opponent for one, opponent in self.records if one == other}
            assert listed == bool(name and against & ({*ENGINES} | rated))

    def check_finder(self, answer: Answer, player: str, shown: list[Game]) -> None:
        """Hold the viewer's own way to a game, and who is here, against the model."""
        mine = {game.id: game for game in shown if player in game.players}
        looking = self.looking.keys()
        said, found = _LOOKING.search(answer.text), _MINE.search(answer.text)
        here = {player, *looking, *filter(self.is_here, self.here)} & self.options.keys()
        assert bool(said) == ('id="cancel"' in answer.text) == (player in looking)
        assert said is None or tuple(map(int, said.groups())) == (len(here), len(looking))
        assert bool(found) == bool(mine and not said)
        going = found and not mine[found[1]].open
        assert ('id="seek"' in answer.text) == (not said and not going)
        doing = dict(_PERSON.findall(answer.text))
        assert doing.keys() == {isolated(self.names[one] or "") for one in here}
        for one in here:
            playing = {
                f"playing {isolated(self.names[other] or '')}"
                for game in shown
                if one in game.players
                for other in game.players - {one}
            }
            expected = {"looking for an opponent"} if one in looking else playing or {"reading"}
            assert doing[isolated(self.names[one] or "")] in expected

    def waits_here(self, game: Game) -> bool:
        """Whether the player of an open game is here, or has just opened it and not left since."""
        (player,) = game.players
        asked_at, _, left = self.here.get(player, (0, 0, False))
        gone = left and asked_at >= 1000 * (game.changed_at + 1)
        return self.is_here(player) or (self.now - game.changed_at <= JUST and not gone)

    def looks_here(self, player: str) -> bool:
        """Whether a player who looks is here, or has just begun to and not left since."""
        *_, left = self.here.get(player, (0, 0, False))
        just = self.now - self.looking[player] < PRESENT_FOR and not left
        return just or self.is_here(player)

    # --- people, and time -----------------------------------------------------------------------

    @rule(who=PLAYERS, name=st.none() | st.sampled_from(NAMES))
    def rename(self, who: int, name: str | None) -> None:
        player = self.people[who]
        answer = self.send(who, "POST", "/you/name", given({"name": name}))
        others = {str(other).casefold() for one, other in self.names.items() if one != player}
        if name is not None and name not in GOOD_NAMES:
            assert answer.status == 422
        elif name and name.casefold() in others:
            assert answer.status == 409
        else:
            assert answer.status == 303
            self.remember(player)
            self.names[player] = name

    @rule(who=PLAYERS, what=st.sampled_from(["new", "new", "forget"]))
    def leave(self, who: int, what: str) -> None:
        """Start as another player, or be forgotten."""
        player = self.people[who]
        answer = self.send(who, "POST", f"/you/{what}")
        assert answer.status == 303
        if what == "forget":
            self.forgotten(player)
            self.keys = {key: game for key, game in self.keys.items() if key[0] != player}
            self.options.pop(player, None)
            self.names.pop(player, None)
            self.here.pop(player, None)
        found = re.match(r"player=([\w-]{43}\.\d+);", answer.headers["Set-Cookie"])
        assert found
        self.cookies[who] = found[1]
        self.jars[who].append(found[1])

    @rule(who=PLAYERS, which=st.integers(0, 3))
    def turn_to_another_browser(self, who: int, which: int) -> None:
        """Come back with a cookie from before, even one that was forgotten."""
        self.cookies[who] = self.jars[who][-1 - which % len(self.jars[who])]

    @rule(seconds=st.sampled_from([1, 30, 61, 900, 3600, -5, -3600]))
    def the_clock_goes(self, seconds: int) -> None:
        self.clock.goes_on(seconds)
        if seconds < 0:  # a worker has seen the class later than now
            assert self.send(0, "GET", "/class/board").status == 200

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def nobody_waits_in_two_open_games(self) -> None:
        waiting = [player for game in self.games.values() if game.open for player in game.players]
        assert len(waiting) == len({*waiting})

    @invariant()
    def games_are_as_they_should_be(self) -> None:
        stored = {row.id: row._asdict() for row in self.rows("SELECT * FROM games")}
        assert stored.keys() == self.games.keys()
        for game_id, game in self.games.items():
            assert stored[game_id] == stored[game_id] | columns(game) | {"kind": game.kind.value}
        assert dict(self.rows("SELECT player, since FROM seeks")) == self.looking

    @invariant()
    def everybody_is_remembered_and_nobody_else(self) -> None:
        rows = self.rows("SELECT id, name, opponent, mark, last_mark FROM players")
        assert {player: Options(*more) for player, _, *more in rows} == self.options
        for player, name, *_ in rows:
            self.names[player] = self.names[player] or name
            assert name
            assert name == self.names[player]
        assert len({name.casefold() for _, name, *_ in rows}) == len(rows)

    @invariant()
    def records_agree_with_the_games_that_count(self) -> None:
        records = {tuple(row) for row in self.rows("SELECT * FROM records")}
        assert records == {astuple(record) for record in self.records.values()}


@pytest.fixture
def app(database_url: str | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    chosen = Settings(
        data=tmp_path_factory.mktemp("lesson"), database_url=database_url, seed=SEED,
        synchronous="NORMAL", names="own", limits="off",
    )  # fmt: skip
    app = create_app(chosen)
    yield app
    app.extensions["database"].close()


@pytest.fixture(autouse=True)
def the_same_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sequence that is tried again draw the same: before each one the generator is seeded."""
    for service in ("lobby", "seeks"):
        monkeypatch.setattr(f"webapp.service.{service}.SystemRandom", lambda: random)

    def drawn(size: int = 32) -> str:
        return urlsafe_b64encode(random.randbytes(size)).rstrip(b"=").decode()

    monkeypatch.setattr("secrets.token_urlsafe", drawn)


@pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
def test_random_requests_of_four_people_never_surprise_the_model(
    app: Flask, times: Callable[[int, int], int], request: pytest.FixtureRequest
) -> None:
    postgres = request.node.callspec.params["database_url"] == "postgres"
    lesson = type("ThisLesson", (FourPeople,), {"app": app, "clock": Clock(Site(app, Settings()))})
    run(
        lesson,
        settings=settings(
            max_examples=times(5 if postgres else 50, 1_000 if postgres else 10_000),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
