"""Whatever a few people send, in whatever order: the site and a model of it never disagree.

Everything that is stored is held against the model after each request, so nothing can change that
should not: nobody's seat, nobody's name, nobody's record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run
from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.lesson import FRESH, NO_WISH, OPPONENTS, RECORDED, Game, Lesson, Person, Wish
from tests.support.page import Page, is_html
from tests.support.people import Clock
from tests.support.visitor import FRAGMENT, Site
from webapp.config import Settings
from webapp.store import Database
from webapp.web import create_app
from webapp.words import isolated

PLAYERS = st.integers(0, 2)
ANYBODY = st.integers(0, 3)
"""The last one is a stranger: plays nothing, and tries everything with the games of others."""
WHICH = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4, 5])
"""Which game, the newest first."""
WAYS = st.booleans()
VERSIONS = st.sampled_from([*["now"] * 12, "before", "after", "", "x"])
WISHES = st.sampled_from([*[NO_WISH] * 8, ("hard", "o"), ("easy", None), (None, "alternate")]) | (
    st.tuples(
        st.none() | st.sampled_from([*OPPONENTS, "nobody"]),
        st.none() | st.sampled_from(["x", "o", "alternate", "X"]),
    )
)
NAMES = ("Ada", "ada", "Bob", "Zoë", "", "a\tb", "x" * 21)
BEGINNINGS = ("", "", "", "4", "40", "0312", "0314", "03142", "44", "9", "048176253")

_CELL = re.compile(r'<(button|span) id="c(\d)"([^>]*?) aria-label="[\w ]+, (X|O|empty)')
_GAME = re.compile(r'<div id="game" data-game="(.*?)" data-version="(\d+)" data-outcome="(\w*)"')
_SCORE = re.compile(r'<dl class="score".*?</dl>', re.DOTALL)
_ACTION = re.compile(r'<button id="(\w+)" form="play"[^>]* formaction=')
_GO_ON = re.compile(r'<p class="aside"><a href="/games/([\w-]+)">(.*?)</a>(.*?)</p>')
_LEVEL = re.compile(
    r'<th scope="row">([\w-]+)</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>'
)


class Answer:
    """An answer as far as the model says something about it; the other tests read all of it."""

    def __init__(self, response: TestResponse) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.text = "" if response.status_code in (204, 303) else response.text
        self.response = response

    @property
    def game(self) -> tuple[str, int, str]:
        """Id, version and outcome of the game that is shown."""
        found = _GAME.search(self.text)
        assert found, self.text
        return found[1], int(found[2]), found[3]

    @property
    def board(self) -> str:
        marks = {int(cell): mark for _, cell, _, mark in _CELL.findall(self.text)}
        return "".join(marks[cell].replace("empty", ".") for cell in range(9))

    @property
    def playable(self) -> list[int]:
        cells = _CELL.findall(self.text)
        return [
            int(cell) for tag, cell, more, _ in cells if tag == "button" and "type=" not in more
        ]

    @property
    def hinted(self) -> list[int]:
        return [int(cell) for _, cell, more, _ in _CELL.findall(self.text) if "data-hint" in more]

    @property
    def refused(self) -> bool:
        return '<p class="refusal">' in self.text

    @property
    def heading(self) -> str:
        found = re.search(r'<h2 id="turn">(.*?)</h2>', self.text)
        return found[1] if found else ""

    @property
    def score(self) -> tuple[int, ...] | None:
        found = _SCORE.search(self.text)
        return tuple(map(int, re.findall(r"<dd>(\d+)", found[0]))) if found else None


class FourPeople(RuleBasedStateMachine):
    """Three players and a stranger, who send each other's addresses around."""

    app: Flask
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.database: Database = self.app.extensions["database"]
        with self.database.write() as connection:
            for table in ("games", "players", "records"):
                connection.execute(sa.text(f"DELETE FROM {table}"))  # noqa: S608
        self.lesson = Lesson()
        self.people = [self.somebody(f"{number:043d}") for number in range(4)]
        self.browsers = [[person] for person in self.people]
        self.gone: list[Game] = []
        self.replies: dict[tuple[str, str], int] = {}
        self.names: dict[str, str] = {}
        self.passes(3)  # the standings of the sequence before are not remembered any more

    def somebody(self, cookie: str) -> Person:
        person = Person(cookie)
        self.lesson.people.append(person)
        return person

    # --- sending --------------------------------------------------------------------------------

    def send(
        self, who: int, method: str, address: str, fields: dict[str, Any] | None = None,
        htmx: bool = False,
    ) -> Answer:  # fmt: skip
        headers = {"Cookie": f"player={self.people[who].cookie}", **(FRAGMENT if htmx else {})}
        client = self.app.test_client(use_cookies=False)
        response = client.open(address, method=method, data=fields, headers=headers)
        answer = Answer(response)
        assert answer.status < 500
        if address not in ("/you/new", "/you/forget"):
            assert "Set-Cookie" not in answer.headers
        return answer

    def act(
        self, who: int, game: Game, what: str, fields: dict[str, Any], *, htmx: bool, expected: int
    ) -> Answer:
        """Send a form about a game; what is refused shows the true board."""
        answer = self.send(who, "POST", f"/games/{game.id}/{what}", fields, htmx)
        assert answer.status == (expected or (200 if htmx else 303))
        if expected and expected != 404:
            assert answer.refused
            self.check(answer, game, who)
        return answer

    def shows(self, answer: Answer, game: Game, who: int, htmx: bool) -> None:
        """Hold the answer to an accepted form against the game that it leads to."""
        if not htmx:
            assert answer.headers["Location"] == f"/games/{game.id}"
            return
        if "HX-Push-Url" in answer.headers:
            assert answer.headers["HX-Push-Url"] == f"/games/{game.id}"
        self.check(answer, game, who)

    def check(self, answer: Answer, game: Game, who: int) -> None:
        """Hold a board against the model."""
        person = self.people[who]
        assert answer.game == (game.id, game.version, game.outcome)
        assert answer.board == game.board
        mine = game.turn_of(person)
        assert answer.playable == (rules.free(game.board) if mine else [])
        assert ('<form id="play"' in answer.text) is game.of(person)
        assert set(_ACTION.findall(answer.text)) == self.lesson.buttons(game, person)
        assert answer.score == self.lesson.score(game, person)
        if game.engine or game.live:
            assert (answer.heading == "Your turn") is mine
        if game.hinted and mine:
            (cell,) = answer.hinted
            worth, _ = rules.value(game.board)
            assert -rules.value(rules.put(game.board, cell))[0] == worth
        else:
            assert answer.hinted == []

    def passes(self, seconds: int) -> None:
        """Let time pass, or be set back."""
        self.clock.goes_on(seconds)
        self.lesson.now = int(self.clock())

    def idle_until(self, game: Game, seconds: int) -> None:
        """Let time pass until a game has not changed for so long, if it has not been longer."""
        self.passes(max(0, game.changed_at + seconds - self.lesson.now))

    # --- looking at what is stored --------------------------------------------------------------

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self.database.read() as connection:
            return [tuple(row) for row in connection.execute(sa.text(statement))]

    def reply(self, game: Game) -> int:
        """The cell that the engine has taken; the same one each time in the same position."""
        (found,) = [
            row
            for row in self.rows("SELECT id, moves FROM games")
            if row[0] == game.id or (not game.id and row[0] not in self.ids)
        ]
        played = "".join(map(str, game.moves))
        assert found[1].startswith(played)
        assert len(found[1]) == len(played) + 1
        cell = int(found[1][-1])
        assert self.replies.setdefault((game.opponent, played), cell) == cell
        return cell

    @property
    def ids(self) -> set[str]:
        return {game.id for game in self.lesson.games if game.id}

    def identify(self, game: Game) -> None:
        """Read the id and the code of a game that is new."""
        if not game.id:
            (new,) = {
                row for row in self.rows("SELECT id, code FROM games") if row[0] not in self.ids
            }
            game.id, game.code = new
            assert (game.code is not None) is game.open

    def newest(self, which: int) -> Game:
        games = self.lesson.games
        return games[-1 - which % len(games)]

    @staticmethod
    def stated(game: Game, version: str) -> object:
        numbers = {"now": game.version, "before": game.version - 1, "after": game.version + 1}
        return numbers.get(version, version)

    # --- playing --------------------------------------------------------------------------------

    @rule(
        who=PLAYERS,
        opponent=st.sampled_from([*OPPONENTS, *OPPONENTS, "nobody", ""]),
        mark=st.sampled_from(["x", "x", "o", "alternate", "X"]),
        cell=st.none() | st.integers(-1, 9),
        key=st.sampled_from([None, None, None, "", "k", "l"]),
        moves=st.sampled_from(BEGINNINGS),
        htmx=WAYS,
    )
    def start(
        self, *, who: int, opponent: str, mark: str, cell: int | None, key: str | None, moves: str,
        htmx: bool,
    ) -> None:  # fmt: skip
        self.begin(who=who, wish=(opponent, mark), cell=cell, key=key, moves=moves, htmx=htmx)

    @rule(who=PLAYERS, moves=st.sampled_from(BEGINNINGS[3:]), wish=WISHES, htmx=WAYS)
    def start_from_a_position(self, who: int, moves: str, wish: Wish, htmx: bool) -> None:
        self.begin(who=who, wish=wish, cell=None, key=None, moves=moves, htmx=htmx)

    def begin(
        self, *, who: int, wish: Wish, cell: int | None, key: str | None, moves: str, htmx: bool
    ) -> None:
        person = self.people[who]
        fields = {**sent(wish), "cell": cell, "key": key, "moves": moves or None}
        expected = self.lesson.refuses_start(person, wish, cell, key, moves)
        answer = self.send(who, "POST", "/games", given(fields), htmx)
        assert answer.status == (expected or (200 if htmx else 303))
        if expected:
            assert answer.refused
            assert answer.game == ("", 0, "")
            assert answer.board == rules.EMPTY
            return
        game = self.lesson.start(person, wish, cell=cell, key=key, moves=moves, reply=self.reply)
        self.identify(game)
        self.shows(answer, game, who, htmx)

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        cell=st.sampled_from([*range(9), 9, None]),
        version=VERSIONS,
        wish=WISHES,
        htmx=WAYS,
    )
    def move(
        self, *, who: int, which: int, cell: int | None, version: str, wish: Wish, htmx: bool
    ) -> None:
        game, person = self.newest(which), self.people[who]
        stated = self.stated(game, version)
        expected = self.lesson.refuses_move(game, person, cell, stated, wish)
        fields = given({"cell": cell, "version": stated, **sent(wish)})
        answer = self.act(who, game, "moves", fields, htmx=htmx, expected=expected)
        if not expected and cell is not None:
            self.lesson.move(game, person, cell, wish, self.reply)
            self.shows(answer, game, who, htmx)

    def play(self, game: Game, cells: list[int], htmx: bool) -> None:
        """Those whose turn it is move; the numbers say which of the free cells."""
        for number in cells:
            mover = game.to_move
            if not game.going or mover not in self.people:
                return
            free = rules.free(game.board)
            self.move(
                who=self.people.index(mover),
                which=self.place_of(game),
                cell=free[number % len(free)],
                version="now",
                wish=NO_WISH,
                htmx=htmx,
            )

    def place_of(self, game: Game) -> int:
        """Which game it is, the newest first."""
        return self.lesson.games[::-1].index(game)

    @precondition(lambda self: self.lesson.games)
    @rule(
        which=WHICH,
        cells=st.tuples(*[st.integers(0, 8)] * 9),
        number=st.sampled_from([0, 1, 1, 2, 3, 9, 9, 9]),
        then=st.sampled_from([0, 1, 2, 2, 3]),
        back=WAYS,
        htmx=WAYS,
    )
    def play_on(
        self, *, which: int, cells: tuple[int, ...], number: int, then: int, back: bool, htmx: bool
    ) -> None:
        """Play for a while, or to the end; then go on to another game, or both ask for it."""
        game = self.newest(which)
        self.play(game, list(cells[:number]), htmx)
        people = [self.people.index(one) for one in (game.x, game.o) if one in self.people]
        for who in [*people, *people][:then]:
            self.again(who=who, which=self.place_of(game), wish=NO_WISH, htmx=htmx)
            if back:
                # To the game that was left, for a few more moves.
                self.play(game, list(cells[:2]), htmx)

    @rule(
        who=PLAYERS,
        opponent=st.sampled_from(RECORDED),
        cells=st.lists(st.integers(0, 8), min_size=24, max_size=40),
    )
    def play_game_after_game(self, who: int, opponent: str, cells: list[int]) -> None:
        """Enough games with one opponent for the oldest to count no more."""
        while len(cells) > 4:
            self.begin(
                who=who, wish=(opponent, "x"), cell=cells.pop(), key=None, moves="", htmx=False
            )
            game = self.lesson.games[-1]
            before = len(cells)
            self.play(game, cells, htmx=False)
            del cells[before - len(game.moves) // 2 :]

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        what=st.sampled_from(["undo", "hint"]),
        version=VERSIONS,
        wish=WISHES,
        htmx=WAYS,
    )
    def undo_or_hint(
        self, *, who: int, which: int, what: str, version: str, wish: Wish, htmx: bool
    ) -> None:
        game, person = self.newest(which), self.people[who]
        stated = self.stated(game, version)
        refuses = self.lesson.refuses_undo if what == "undo" else self.lesson.refuses_hint
        expected = refuses(game, person, stated, wish)
        answer = self.act(
            who, game, what, {"version": stated, **sent(wish)}, htmx=htmx, expected=expected
        )
        if not expected:
            (self.lesson.undo if what == "undo" else self.lesson.hint)(game, person, wish)
            self.shows(answer, game, who, htmx)

    @precondition(lambda self: self.lesson.games)
    @rule(who=ANYBODY, which=WHICH, wish=WISHES, htmx=WAYS)
    def again(self, who: int, which: int, wish: Wish, htmx: bool) -> None:
        game, person = self.newest(which), self.people[who]
        wish = NO_WISH if game.live else wish
        expected = self.lesson.refuses_again(game, person, wish)
        answer = self.act(who, game, "again", sent(wish), htmx=htmx, expected=expected)
        if not expected:
            following = self.lesson.again(game, person, wish, self.reply)
            self.identify(following)
            self.shows(answer, following, who, htmx)

    # --- two people -----------------------------------------------------------------------------

    @rule(who=PLAYERS, mark=st.sampled_from(["x", "x", "o", "o", "random", "alternate", ""]))
    def challenge(self, who: int, mark: str) -> None:
        person = self.people[who]
        answer = self.send(who, "POST", "/challenges", {"mark": mark})
        if mark not in ("x", "o", "random"):
            assert answer.status == 422
            return
        assert answer.status == 303
        address = answer.headers["Location"]
        (seat,) = [row[1] for row in self.rows("SELECT id, x_seat FROM games")
                   if address == f"/games/{row[0]}"]  # fmt: skip
        assert mark == "random" or (seat is not None) is (mark == "x")
        before = self.lesson.games
        game = self.lesson.challenge(person, seat is not None)
        self.gone += [one for one in before if one not in self.lesson.games]
        self.identify(game)
        assert address == f"/games/{game.id}"

    @rule(
        who=PLAYERS,
        other=PLAYERS,
        mark=st.sampled_from("xo"),
        cells=st.lists(st.integers(0, 8), max_size=9),
    )
    def sit_down(self, who: int, other: int, mark: str, cells: list[int]) -> None:
        """Challenge somebody, who joins, and begin to play."""
        self.challenge(who=who, mark=mark)
        game = self.lesson.games[-1]
        codes = [one for one in [*self.gone, *self.lesson.games] if one.code]
        self.join(who=other, which=codes[::-1].index(game), lower=False)
        self.play(game, cells, htmx=False)

    @precondition(lambda self: any(game.code for game in [*self.lesson.games, *self.gone]))
    @rule(who=PLAYERS, which=WHICH, lower=WAYS)
    def join(self, who: int, which: int, lower: bool) -> None:
        games = [game for game in [*self.gone, *self.lesson.games] if game.code]
        game, person = games[-1 - which % len(games)], self.people[who]
        code = (game.code or "").lower() if lower else game.code
        expected = self.lesson.refuses_join(game, person)
        answer = self.send(who, "POST", f"/join/{code}")
        assert answer.status == (expected or 303)
        if not expected:
            before = self.lesson.games
            self.lesson.join(game, person)
            self.gone += [one for one in before if one not in self.lesson.games]
            assert answer.headers["Location"] == f"/games/{game.id}"

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        what=st.sampled_from(["resign", "claim", "claim"]),
        version=VERSIONS,
        until=st.sampled_from([0, 0, 59, 60, 60, 200]),
        htmx=WAYS,
    )
    def resign_or_claim(
        self, *, who: int, which: int, what: str, version: str, until: int, htmx: bool
    ) -> None:
        game, person = self.newest(which), self.people[who]
        self.idle_until(game, until)
        stated = self.stated(game, version)
        expected = self.lesson.refuses_duel(game, person, stated, what)
        answer = self.act(who, game, what, {"version": stated}, htmx=htmx, expected=expected)
        if expected:
            return
        if game.open:
            self.gone.append(game)
            self.lesson.resign(game, person)
            assert answer.headers["HX-Redirect" if htmx else "Location"] == "/class"
            return
        (self.lesson.resign if what == "resign" else self.lesson.claim)(game, person)
        self.shows(answer, game, who, htmx)

    @precondition(lambda self: any(game.live and game.going for game in self.lesson.games))
    @rule(
        which=WHICH,
        until=st.sampled_from([0, 1, 59, 60, 60, 119, 120, 599, 600]),
        phase=st.sampled_from([None, 0, 1, 2, 3]),
        claim=WAYS,
        htmx=WAYS,
    )
    def wait_for_the_other(
        self, *, which: int, until: int, phase: int | None, claim: bool, htmx: bool
    ) -> None:
        """Both ask for news at a moment when time may have made some, and may claim the game."""
        games = [game for game in self.lesson.games if game.live and game.going]
        game = games[-1 - which % len(games)]
        here = self.place_of(game)
        for who in [self.people.index(one) for one in (game.o, game.x) if one in self.people]:
            self.poll(who=who, which=here, since="now", phase=phase, until=until)
            if claim:
                self.resign_or_claim(
                    who=who, which=here, what="claim", version="now", until=until, htmx=htmx
                )

    # --- who one is -----------------------------------------------------------------------------

    @rule(who=PLAYERS, name=st.none() | st.sampled_from(NAMES))
    def rename(self, who: int, name: str | None) -> None:
        person = self.people[who]
        answer = self.send(who, "POST", "/you/name", {} if name is None else {"name": name})
        if name is None:
            assert answer.status == 303
            person.known, person.name = True, None
        elif name not in NAMES[:4]:
            assert answer.status == 422
        elif self.lesson.somebody_else_has(name, person):
            assert answer.status == 409
        else:
            assert answer.status == 303
            person.known, person.name = True, name

    @rule(who=PLAYERS, what=st.sampled_from(["new", "new", "forget"]))
    def leave(self, who: int, what: str) -> None:
        """Start as somebody new, or be forgotten."""
        before = self.lesson.games
        answer = self.send(who, "POST", f"/you/{what}")
        assert answer.status == 303
        if what == "forget":
            self.lesson.forget(self.people[who])
            self.gone += [game for game in before if game not in self.lesson.games]
        found = re.match(r"player=([\w-]{43});", answer.headers["Set-Cookie"])
        assert found
        self.people[who] = self.somebody(found[1])
        self.browsers[who].append(self.people[who])

    @rule(who=PLAYERS, which=st.integers(0, 3))
    def turn_to_another_browser(self, who: int, which: int) -> None:
        """Be again who one was: with a cookie from before, even one that was forgotten."""
        self.people[who] = self.browsers[who][-1 - which % len(self.browsers[who])]

    # --- looking --------------------------------------------------------------------------------

    @precondition(lambda self: self.lesson.games)
    @rule(who=ANYBODY, which=WHICH, htmx=WAYS)
    def look(self, who: int, which: int, htmx: bool) -> None:
        game = self.newest(which)
        answer = self.send(who, "GET", f"/games/{game.id}", htmx=htmx)
        assert answer.status == 200
        if htmx and game.live and game.following:
            assert answer.headers["HX-Redirect"] == f"/games/{game.following.id}"
            return
        self.check(answer, game, who)
        if not htmx and is_html(answer.response):
            Page(answer.response)  # which checks every tag of it

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        since=VERSIONS,
        phase=st.sampled_from([None, 0, 1, 2, 3, 4]),
        until=st.sampled_from([0, 0, 59, 60, 119, 120, 599, 600]),
    )
    def poll(self, *, who: int, which: int, since: str, phase: int | None, until: int) -> None:
        game = self.newest(which)
        self.idle_until(game, until)
        stated = self.stated(game, since)
        query = given({"since": stated, "phase": phase})
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        answer = self.send(who, "GET", f"/games/{game.id}?{asked}", htmx=True)
        if not isinstance(stated, int) or stated < 0 or phase == 4:
            assert answer.status == 422
        elif self.lesson.unchanged(game, stated, phase or 0):
            assert answer.status == 204
        elif game.live and game.following:
            assert answer.headers["HX-Redirect"] == f"/games/{game.following.id}"
        else:
            assert answer.status == 200
            self.check(answer, game, who)

    @precondition(lambda self: self.gone)
    @rule(who=ANYBODY, which=WHICH, what=st.sampled_from(["", "/moves", "/again", "/claim"]))
    def come_too_late(self, who: int, which: int, what: str) -> None:
        """Ask for a game that is no more."""
        game = self.gone[-1 - which % len(self.gone)]
        method = "POST" if what else "GET"
        assert self.send(who, method, f"/games/{game.id}{what}").status == 404
        if not what:
            assert self.send(who, method, f"/games/{game.id}?since={game.version}").status == 404

    @rule(who=ANYBODY, wish=WISHES, htmx=WAYS)
    def go_home(self, who: int, wish: Wish, htmx: bool) -> None:
        asked = "&".join(f"{name}={value}" for name, value in sent(wish).items())
        answer = self.send(who, "GET", f"/?{asked}", htmx=htmx)
        if wish[0] == "nobody" or wish[1] == "X":
            assert answer.status == 422
            return
        assert (answer.status, answer.game, answer.board) == (200, ("", 0, ""), rules.EMPTY)
        person = self.people[who]
        mine = [
            game
            for game in self.lesson.games
            if game.of(person) and not (game.outcome or game.following)
        ]
        live = {game.id: game for game in mine if game.live}
        others = {game.id: game for game in mine if not game.live and game.moves}
        shown = _GO_ON.findall(answer.text)
        assert len(shown) == bool(live) + bool(others)
        assert sum(game in live for game, *_ in shown) == bool(live)
        for game, text, remark in shown:
            if game in live:
                assert (
                    ("challenge" in text)
                    == live[game].open
                    == all(each.open for each in live.values())
                )
                assert ("your turn" in remark) == live[game].turn_of(person)
            else:
                opponent = wish[0] or person.opponent
                lost = {each for each in others.values() if each.opponent == opponent}
                lost = {each for each in lost if each.leaving_loses}
                assert ("lost" in remark) == bool(lost) == (others[game] in lost)

    @rule(who=ANYBODY, wall=WAYS, htmx=WAYS)
    def look_at_the_class(self, who: int, wall: bool, htmx: bool) -> None:
        self.passes(3)  # for two seconds a worker takes the standings as they were
        person, lesson = self.people[who], self.lesson
        answer = self.send(who, "GET", "/class/board" if wall else "/class", htmx=htmx)
        assert answer.status == 200
        played = {opponents for opponents, results in lesson.results.items() if results}
        against_engines = {player for player, opponent in played if opponent in RECORDED}
        for other in lesson.people:
            listed = f'<th scope="row"><bdi>{isolated(other.name or "")}</bdi>' in answer.text
            if other.digest in against_engines:
                assert listed
            elif other.digest not in {player for player, _ in played}:
                assert not listed
        if wall:
            return
        live = [game for game in lesson.games if game.live and not game.outcome]
        # A clock that has not gone evenly for as long makes nothing old.
        oldest = lesson.now - FRESH if self.clock.steady_for() > FRESH else 0
        shown = [game for game in live if game.of(person) or game.changed_at >= oldest]
        mine = {game.code for game in shown if game.open and game.of(person)}
        others = {game.code for game in shown if game.open and not game.of(person)}
        going = {game.id for game in shown if not game.open}
        assert set(re.findall(r"Your challenge, code (\w{6})", answer.text)) == mine
        assert set(re.findall(r'action="/join/(\w{6})"', answer.text)) == others
        assert set(re.findall(r'<a id="to-([\w-]+)"', answer.text)) == going
        expected = {
            (
                slug,
                *lesson.record((person.digest, slug))[1:4],
                lesson.record((person.digest, slug))[5],
            )
            for slug in RECORDED
            if (person.digest, slug) in played
        }
        found = {
            (name.lower(), *map(int, figures)) for name, *figures in _LEVEL.findall(answer.text)
        }
        assert found == expected

    @rule(seconds=st.sampled_from([1, 30, 61, 900, 3600, -5, -3600]))
    def the_clock_goes(self, seconds: int) -> None:
        self.passes(seconds)

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def what_is_stored_is_what_the_model_says(self) -> None:
        self.games_are_as_they_should_be()
        self.everybody_is_remembered_and_nobody_else()
        self.records_agree_with_the_games_that_count()

    def games_are_as_they_should_be(self) -> None:
        stored = self.rows(
            "SELECT id, opponent, x_seat, o_seat, moves, version, given, outcome, ending, rematch, "
            "next_id, code, helped, hint IS NOT NULL, updated_at FROM games"
        )
        assert sorted(stored) == sorted(map(row_of, self.lesson.games))

    def everybody_is_remembered_and_nobody_else(self) -> None:
        stored = {
            row[0]: row[1:]
            for row in self.rows("SELECT id, opponent, mark, last_mark, name FROM players")
        }
        known = [person for person in self.lesson.people if person.known]
        for person in known:
            if person.name is None:
                person.name = stored[person.digest][-1]
                assert person.name
        assert stored == {
            person.digest: (person.opponent, person.mark, person.last_mark, person.name)
            for person in known
        }
        names = [str(person.name).casefold() for person in known]
        assert len(set(names)) == len(names)

    def records_agree_with_the_games_that_count(self) -> None:
        lesson = self.lesson
        stored = {
            (row[0], row[1]): row[2:]
            for row in self.rows(
                "SELECT player, opponent, recent, won, drawn, lost, run, best_run FROM records"
            )
        }
        assert stored == {
            pair: lesson.record(pair) for pair, found in lesson.results.items() if found
        }
        counted = [
            seat
            for game in lesson.games
            if game.outcome and game.counts
            for seat in (game.x, game.o)
            if seat
        ]
        assert sum(won + drawn + lost for _, won, drawn, lost, *_ in stored.values()) == len(
            counted
        )


def sent(wish: Wish) -> dict[str, Any]:
    return given({"opponent": wish[0], "mark": wish[1]})


def given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def row_of(game: Game) -> tuple[Any, ...]:
    """A game as it must be stored."""
    seats = [seat.digest if seat else None for seat in (game.x, game.o)]
    return (
        game.id, game.opponent, *seats, "".join(map(str, game.moves)), game.version, game.given,
        game.outcome, game.ending, game.rematch, game.following.id if game.following else None,
        game.code, game.helped, game.hinted, game.changed_at,
    )  # fmt: skip


@pytest.fixture
def app(database_url: str | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    chosen = Settings(
        data=tmp_path_factory.mktemp("lesson"), database_url=database_url, seed="tests",
        synchronous="NORMAL", names="own", limits="off",
    )  # fmt: skip
    app = create_app(chosen)
    yield app
    app.extensions["database"].close()


@pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
def test_random_requests_of_four_people_never_surprise_the_model(
    app: Flask, times: Callable[[int, int], int], request: pytest.FixtureRequest
) -> None:
    postgres = request.node.callspec.params["database_url"] == "postgres"

    class ThisLesson(FourPeople):
        pass

    ThisLesson.app = app
    ThisLesson.clock = Clock(Site(app, Settings()))
    run(
        ThisLesson,
        settings=settings(
            max_examples=times(5 if postgres else 60, 1_000 if postgres else 10_000),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
