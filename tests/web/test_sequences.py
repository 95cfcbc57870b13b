"""Whatever a few people send, in whatever order: the site and a model of it never disagree.

Everything that is stored is held against the model after each request, so nothing can change that
should not: no seat, no name, no record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run
from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.lesson import FRESH, LISTED, OPPONENTS, Fields, Game, Lesson, Person
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
WHICH = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4, 5, -1])
"""Which game, the newest first; -1 is one that is no more."""
WAYS = st.booleans()
VERSIONS = st.sampled_from([*["now"] * 12, "before", "after", "", "x", None])
SETTINGS = st.sampled_from(
    [*[{}] * 8, {"opponent": "hard", "mark": "o"}, {"opponent": "easy"}, {"mark": "alternate"}]
) | st.fixed_dictionaries(
    {},
    optional={
        "opponent": st.sampled_from([*OPPONENTS, "nobody"]),
        "mark": st.sampled_from(["x", "o", "alternate", "X"]),
    },
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
NAMES = ("Ada", "ada", "Bob", "Zoë", "", "a\tb", "x" * 21)
GOOD_NAMES = NAMES[:4]

_CELL = re.compile(r'<(button|span) id="c(\d)"([^>]*?) aria-label="[\w ]+, (X|O|empty)')
_GAME = re.compile(r'<div id="game" data-game="(.*?)" data-version="(\d+)" data-outcome="(\w*)"')
_SCORE = re.compile(r'<dl class="score".*?</dl>', re.DOTALL)
_ACTION = re.compile(r'<button id="(\w+)" form="(?:play|next)"[^>]* formaction=')
_HEADING = re.compile(r'<h2 id="turn">(.*?)</h2>')
_GO_ON = re.compile(r'<p class="aside"><a href="/games/([\w-]+)">(.*?)</a>(.*?)</p>')
_LEVEL = re.compile(
    r'<th scope="row">([\w-]+)</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>'
)


class Answer:
    """An answer as far as the model says something about it; the other tests read all of it."""

    def __init__(self, response: TestResponse) -> None:
        self.status, self.headers, self.response = response.status_code, response.headers, response
        self.text = "" if response.status_code in (204, 303) else response.text
        self.refused = '<p class="refusal">' in self.text

    @property
    def game(self) -> tuple[str, int, str]:
        """Id, version and outcome of the game that is shown."""
        found = _GAME.search(self.text)
        assert found, self.text
        return found[1], int(found[2]), found[3]

    @property
    def board(self) -> str:
        return "".join(mark.replace("empty", ".") for *_, mark in _CELL.findall(self.text))

    def cells(self, tag: str, attribute: str, *, there: bool) -> list[int]:
        """The cells that are such an element and have such an attribute, or have it not."""
        found = _CELL.findall(self.text)
        return [
            int(n) for kind, n, more, _ in found if kind == tag and there is (attribute in more)
        ]

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
            for table in ("games", "players", "records", "scores"):
                connection.execute(sa.text(f"DELETE FROM {table}"))  # noqa: S608
        self.lesson = Lesson()
        self.people = [self.person(f"{number:043d}") for number in range(4)]
        self.browsers = [[person] for person in self.people]
        self.gone: list[Game] = []
        self.replies: dict[tuple[str, str], int] = {}
        self.passes(3)  # the standings of the sequence before are not remembered any more

    def person(self, cookie: str) -> Person:
        self.lesson.people.append(Person(cookie))
        return self.lesson.people[-1]

    # --- sending, and what comes back -------------------------------------------------------------

    def send(
        self, who: int, method: str, address: str, fields: Fields | None = None, htmx: bool = False
    ) -> Answer:
        headers = {"Cookie": f"player={self.people[who].cookie}", **(FRAGMENT if htmx else {})}
        client = self.app.test_client(use_cookies=False)
        answer = Answer(client.open(address, method=method, data=fields, headers=headers))
        assert answer.status < 500
        if address not in ("/you/new", "/you/forget"):
            assert "Set-Cookie" not in answer.headers
        return answer

    def shows(self, answer: Answer, game: Game | None, who: int, htmx: bool) -> None:
        """Hold the answer to an accepted form against the game that it leads to."""
        address = f"/games/{game.id}" if game else "/"
        if not htmx:
            assert (answer.status, answer.headers["Location"]) == (303, address)
            return
        assert answer.headers.get("HX-Push-Url", address) == address
        assert game or "HX-Push-Url" in answer.headers
        if game:
            self.check(answer, game, who)
        else:
            self.check_front(answer, self.people[who], {})

    def check(self, answer: Answer, game: Game, who: int) -> None:
        """Hold a board against the model."""
        person = self.people[who]
        assert answer.game == (game.id, game.version, game.outcome)
        assert answer.board == game.board
        mine = game.turn_of(person)
        playable = answer.cells("button", "type=", there=False)
        assert playable == (rules.free(game.board) if mine else [])
        assert ('<form id="play"' in answer.text) is game.of(person)
        assert set(_ACTION.findall(answer.text)) == self.lesson.buttons(game, person)
        assert answer.score == self.lesson.score_beside(game, person)
        if game.engine or game.live:
            assert (_HEADING.findall(answer.text) == ["Your turn"]) is mine
        hinted = answer.cells("button", "data-hint", there=True)
        assert len(hinted) == (game.hinted and mine)
        for cell in hinted:
            assert rules.value(game.board)[0] == -rules.value(rules.put(game.board, cell))[0]

    def check_front(self, answer: Answer, person: Person, chosen: Fields) -> None:
        """Hold the empty board, and what it leads back to, against the model."""
        assert (answer.status, answer.game, answer.board) == (200, ("", 0, ""), rules.EMPTY)
        opponent = chosen.get("opponent", person.opponent)
        first = person in person.seats(opponent, chosen.get("mark", person.mark))[:1]
        playable = answer.cells("button", "type=", there=False)
        assert playable == (list(range(9)) if first else [])
        assert answer.score == (
            None if opponent == "friend" else self.lesson.score(person, opponent)
        )
        mine = [game for game in self.lesson.games if game.of(person) and not game.outcome]
        live = {game.id: game for game in mine if game.live}
        others = {game.id: game for game in mine if not game.live and game.moves}
        lost = {game for game in others.values() if game.opponent == opponent and game.forfeits}
        shown = _GO_ON.findall(answer.text)
        assert [game in live for game, *_ in shown] == [True] * bool(live) + [False] * bool(others)
        for game, text, remark in shown:
            if game in live:
                assert ("challenge" in text) == live[game].open
                assert live[game].open == all(one.open for one in live.values())
                assert ("your turn" in remark) == live[game].turn_of(person)
            else:
                assert ("lost" in remark) == bool(lost) == (others[game] in lost)

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

    def new_row(self) -> tuple[str, str, str | None]:
        """Id, moves and code of the game that the model does not know yet."""
        known = {game.id for game in self.lesson.games}
        (found,) = (
            row for row in self.rows("SELECT id, moves, code FROM games") if row[0] not in known
        )
        return found

    def reply(self, game: Game) -> int:
        """The cell that the engine has taken; the same one each time in the same position."""
        if game.id:
            ((moves,),) = self.rows(f"SELECT moves FROM games WHERE id = '{game.id}'")  # noqa: S608
        else:
            _, moves, _ = self.new_row()
        played = "".join(map(str, game.moves))
        assert moves[:-1] == played
        assert self.replies.setdefault((game.opponent, played), int(moves[-1])) == int(moves[-1])
        return int(moves[-1])

    def identify(self, game: Game | None) -> None:
        """Read the id and the code of a game that is new."""
        if game and not game.id:
            game.id, _, game.code = self.new_row()
            assert (game.code is not None) is game.open

    def newest(self, which: int) -> Game:
        games = self.gone if which < 0 and self.gone else self.lesson.games
        return games[-1 - which % len(games)]

    def now_gone(self, before: list[Game]) -> None:
        self.gone += [game for game in before if game not in self.lesson.games]

    @staticmethod
    def stated(game: Game, version: str | None) -> object:
        numbers = {"now": game.version, "before": game.version - 1, "after": game.version + 1}
        return numbers.get(version or "", version)

    # --- playing --------------------------------------------------------------------------------

    @rule(who=PLAYERS, fields=STARTS, htmx=WAYS)
    def start(self, who: int, fields: Fields, htmx: bool) -> None:
        person, fields = self.people[who], given(fields)
        expected = self.lesson.refuses_start(person, fields)
        answer = self.send(who, "POST", "/games", fields, htmx)
        if expected:
            assert (answer.status, answer.refused) == (expected, True)
            assert (answer.game, answer.board) == (("", 0, ""), rules.EMPTY)
            return
        game = self.lesson.start(person, fields, self.reply)
        self.identify(game)
        self.shows(answer, game, who, htmx)

    def act(self, who: int, game: Game, what: str, fields: Fields, htmx: bool) -> None:
        """Send a form about a game; what is refused shows the true board."""
        person, before = self.people[who], list(self.lesson.games)
        expected = self.lesson.refuses(what, game, person, fields)
        answer = self.send(who, "POST", f"/games/{game.id}/{what}", fields, htmx)
        if expected:
            assert (answer.status, answer.refused) == (expected, expected != 404)
            if expected != 404:
                self.check(answer, game, who)
            return
        shown = self.lesson.does(what, game, person, fields, self.reply)
        self.now_gone(before)
        if game in self.gone:  # a challenge that is withdrawn leads to the class
            assert answer.headers["HX-Redirect" if htmx else "Location"] == "/class"
            return
        self.identify(shown)
        self.shows(answer, shown, who, htmx)

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        what=st.sampled_from(["moves"] * 4 + ["undo", "hint", "again"] * 2 + ["resign", "claim"]),
        cell=st.sampled_from([*range(9), 9, None]),
        version=VERSIONS,
        more=SETTINGS,
        until=st.sampled_from([0] * 9 + [59, 60, 200]),
        htmx=WAYS,
    )
    def send_a_form(
        self, *, who: int, which: int, what: str, cell: int | None, version: str | None,
        more: Fields, until: int, htmx: bool,
    ) -> None:  # fmt: skip
        """Anyone sends anything; what a form does not read may stand in it all the same."""
        game = self.newest(which)
        self.idle_until(game, until)
        fields = given({"cell": cell, "version": self.stated(game, version), **more})
        self.act(who, game, what, fields, htmx)

    def play(self, game: Game, numbers: list[int], htmx: bool = False) -> None:
        """The players move in turn; the numbers say which of the free cells."""
        for number in numbers:
            if not game.going or game.to_move not in self.people:
                return
            free = rules.free(game.board)
            fields = {"cell": free[number % len(free)], "version": game.version}
            self.act(self.people.index(game.to_move), game, "moves", fields, htmx)

    def players(self, game: Game) -> list[int]:
        return [self.people.index(one) for one in (game.x, game.o) if one in self.people]

    @precondition(lambda self: self.lesson.games)
    @rule(
        which=WHICH,
        cells=st.tuples(*[st.integers(0, 8)] * 9),
        number=st.sampled_from([0, 1, 1, 2, 3, 9, 9, 9]),
        then=st.sampled_from([0, 1, 2, 2, 3]),
        more=SETTINGS,
        back=WAYS,
        htmx=WAYS,
    )
    def play_on(
        self, *, which: int, cells: tuple[int, ...], number: int, then: int, more: Fields,
        back: bool, htmx: bool,
    ) -> None:  # fmt: skip
        """Play for a while, or to the end; then go on to another game, or both ask for it."""
        game = self.newest(which)
        self.play(game, list(cells[:number]), htmx)
        for who in (self.players(game) * 2)[:then]:
            self.act(who, game, "again", more, htmx)
            if back:  # a game that was left, or is over, takes no more moves
                self.act(who, game, "moves", {"cell": cells[0], "version": game.version}, htmx)

    @rule(
        who=PLAYERS,
        opponent=st.sampled_from(OPPONENTS),
        cells=st.lists(st.integers(0, 8), min_size=24, max_size=40),
        most=st.sampled_from([0, 1, 1, 2, 9, 9]),
    )
    def play_game_after_game(self, who: int, opponent: str, cells: list[int], most: int) -> None:
        """Enough games for the oldest to count no more; or each is left for the next one."""
        while len(cells) > 4:
            self.start(
                who=who, fields={"opponent": opponent, "mark": "x", "cell": cells[-1]}, htmx=False
            )
            game = self.lesson.games[-1]
            self.play(game, cells[:-1][:most])
            del cells[-1 - len(game.moves) // 2 :]

    # --- two people -----------------------------------------------------------------------------

    @rule(who=PLAYERS, mark=st.sampled_from(["x", "x", "o", "o", "random", "alternate", ""]))
    def challenge(self, who: int, mark: str) -> None:
        answer = self.send(who, "POST", "/challenges", {"mark": mark})
        if mark not in ("x", "o", "random"):
            assert answer.status == 422
            return
        seats = dict(self.rows("SELECT '/games/' || id, x_seat FROM games"))
        has_x = seats[answer.headers["Location"]] is not None
        assert mark == "random" or has_x is (mark == "x")
        before = list(self.lesson.games)
        game = self.lesson.challenge(self.people[who], has_x)
        self.now_gone(before)
        self.identify(game)
        self.shows(answer, game, who, htmx=False)

    @rule(
        who=PLAYERS,
        other=PLAYERS,
        mark=st.sampled_from("xo"),
        cells=st.lists(st.integers(0, 8), max_size=9),
    )
    def sit_down(self, who: int, other: int, mark: str, cells: list[int]) -> None:
        """One challenges, another joins, and they begin to play."""
        self.challenge(who=who, mark=mark)
        game = self.lesson.games[-1]
        self.join(other, game, game.code or "")
        self.play(game, cells)

    @precondition(lambda self: any(game.code for game in [*self.lesson.games, *self.gone]))
    @rule(who=PLAYERS, which=WHICH, lower=WAYS)
    def try_a_code(self, who: int, which: int, lower: bool) -> None:
        games = [game for game in [*self.gone, *self.lesson.games] if game.code]
        game = games[-1 - which % len(games)]
        self.join(who, game, (game.code or "").lower() if lower else game.code or "")

    def join(self, who: int, game: Game, code: str) -> None:
        expected = self.lesson.refuses_join(game, self.people[who])
        answer = self.send(who, "POST", f"/join/{code}")
        assert answer.status == (expected or 303)
        if not expected:
            before = list(self.lesson.games)
            self.lesson.join(game, self.people[who])
            self.now_gone(before)
            self.shows(answer, game, who, htmx=False)

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
        self.idle_until(game, until)
        for who in self.players(game):
            self.look_at(who, game, {"since": game.version, "phase": phase}, htmx=True)
            if claim:
                self.act(who, game, "claim", {"version": game.version}, htmx)

    # --- looking --------------------------------------------------------------------------------

    @precondition(lambda self: self.lesson.games)
    @rule(
        who=ANYBODY,
        which=WHICH,
        since=VERSIONS,
        phase=st.sampled_from([None, 0, 1, 2, 3, 4]),
        more=SETTINGS,
        until=st.sampled_from([0, 0, 59, 60, 119, 120, 599, 600]),
        htmx=WAYS,
    )
    def look(
        self, *, who: int, which: int, since: str | None, phase: int | None, more: Fields,
        until: int, htmx: bool,
    ) -> None:  # fmt: skip
        game = self.newest(which)
        self.idle_until(game, until)
        query = {"since": self.stated(game, since), "phase": phase, **more}
        self.look_at(who, game, query, htmx)

    def look_at(self, who: int, game: Game, query: Fields, htmx: bool) -> None:
        query = given(query)
        answer = self.send(who, "GET", f"/games/{game.id}?{urlencode(query)}", htmx=htmx)
        since, phase = query.get("since"), query.get("phase", 0)
        if game not in self.lesson.games:
            assert answer.status == 404
        elif ("since" in query and not (isinstance(since, int) and since >= 0)) or phase == 4:
            assert (answer.status, answer.refused) == (422, True)
        elif isinstance(since, int) and self.lesson.unchanged(game, since, phase):
            assert answer.status == 204
        elif htmx and game.live and game.following:
            assert answer.headers["HX-Redirect"] == f"/games/{game.following.id}"
        else:
            assert answer.status == 200
            self.check(answer, game, who)
            if not htmx and is_html(answer.response):
                Page(answer.response)  # which checks every tag of it

    @rule(who=ANYBODY, chosen=SETTINGS, htmx=WAYS)
    def go_home(self, who: int, chosen: Fields, htmx: bool) -> None:
        answer = self.send(who, "GET", f"/?{urlencode(chosen)}", htmx=htmx)
        if chosen.get("opponent") == "nobody" or chosen.get("mark") == "X":
            assert answer.status == 422
        else:
            self.check_front(answer, self.people[who], chosen)

    @rule(who=ANYBODY, wall=WAYS, htmx=WAYS)
    def look_at_the_class(self, who: int, wall: bool, htmx: bool) -> None:
        self.passes(3)  # for two seconds a worker takes the standings as they were
        person, lesson = self.people[who], self.lesson
        answer = self.send(who, "GET", "/class/board" if wall else "/class", htmx=htmx)
        assert answer.status == 200
        played = {opponents for opponents, results in lesson.results.items() if results}
        against_engines = {player for player, opponent in played if opponent in LISTED}
        for other in lesson.people:
            listed = f'<th scope="row"><bdi>{isolated(other.name or "")}</bdi>' in answer.text
            if other.digest in against_engines:
                assert listed
            elif other.digest not in {player for player, _ in played}:
                assert not listed
        if wall:
            return
        # A clock that has not gone evenly for as long makes nothing old.
        oldest = lesson.now - FRESH if self.clock.steady_for() > FRESH else 0
        shown = [
            game
            for game in lesson.games
            if game.live and not game.outcome and (game.of(person) or game.changed_at >= oldest)
        ]
        mine = {game.code for game in shown if game.open and game.of(person)}
        others = {game.code for game in shown if game.open and not game.of(person)}
        going = {game.id for game in shown if not game.open}
        assert set(re.findall(r"Your challenge, code (\w{6})", answer.text)) == mine
        assert set(re.findall(r'action="/join/(\w{6})"', answer.text)) == others
        assert set(re.findall(r'<a id="to-([\w-]+)"', answer.text)) == going
        records = {
            slug: lesson.record((person.digest, slug))
            for slug in LISTED
            if (person.digest, slug) in played
        }
        found = {(name.lower(), *map(int, more)) for name, *more in _LEVEL.findall(answer.text)}
        assert found == {(slug, *one[1:4], one[5]) for slug, one in records.items()}

    # --- people, and time -----------------------------------------------------------------------

    @rule(who=PLAYERS, name=st.none() | st.sampled_from(NAMES))
    def rename(self, who: int, name: str | None) -> None:
        person = self.people[who]
        answer = self.send(who, "POST", "/you/name", given({"name": name}))
        if name is not None and name not in GOOD_NAMES:
            assert answer.status == 422
        elif name and self.lesson.another_has(name, person):
            assert answer.status == 409
        else:
            assert answer.status == 303
            person.known, person.name = True, name

    @rule(who=PLAYERS, what=st.sampled_from(["new", "new", "forget"]))
    def leave(self, who: int, what: str) -> None:
        """Start as another player, or be forgotten."""
        before = list(self.lesson.games)
        answer = self.send(who, "POST", f"/you/{what}")
        assert answer.status == 303
        if what == "forget":
            self.lesson.forget(self.people[who])
            self.now_gone(before)
        found = re.match(r"player=([\w-]{43});", answer.headers["Set-Cookie"])
        assert found
        self.people[who] = self.person(found[1])
        self.browsers[who].append(self.people[who])

    @rule(who=PLAYERS, which=st.integers(0, 3))
    def turn_to_another_browser(self, who: int, which: int) -> None:
        """Come back with a cookie from before, even one that was forgotten."""
        self.people[who] = self.browsers[who][-1 - which % len(self.browsers[who])]

    @rule(seconds=st.sampled_from([1, 30, 61, 900, 3600, -5, -3600]))
    def the_clock_goes(self, seconds: int) -> None:
        self.passes(seconds)

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def games_are_as_they_should_be(self) -> None:
        stored = self.rows(
            "SELECT id, opponent, x_seat, o_seat, moves, version, given, outcome, ending, rematch, "
            "next_id, code, helped, hint IS NOT NULL, updated_at FROM games"
        )
        assert sorted(stored) == sorted(map(row_of, self.lesson.games))

    @invariant()
    def everybody_is_remembered_and_nobody_else(self) -> None:
        rows = self.rows("SELECT id, opponent, mark, last_mark, name FROM players")
        stored = {player: more for player, *more in rows}
        known = {person.digest: person for person in self.lesson.people if person.known}
        for digest, person in known.items():
            person.name = person.name or stored[digest][-1]
            assert person.name
        assert stored == {
            digest: [person.opponent, person.mark, person.last_mark, person.name]
            for digest, person in known.items()
        }
        assert len({str(person.name).casefold() for person in known.values()}) == len(known)

    @invariant()
    def records_and_scores_agree_with_the_games_that_count(self) -> None:
        pairs = [pair for pair, found in self.lesson.results.items() if found]
        records, scores = (
            {(player, opponent): tuple(more) for player, opponent, *more in self.rows(statement)}
            for statement in (
                "SELECT player, opponent, recent, won, drawn, lost, run, best_run FROM records",
                "SELECT player, opponent, won, drawn, lost FROM scores",
            )
        )
        assert records == {pair: self.lesson.record(pair) for pair in pairs}
        assert scores == {pair: record[1:4] for pair, record in records.items()}


def given(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def row_of(game: Game) -> tuple[Any, ...]:
    """A game as it must be stored."""
    seats = [seat.digest if seat else None for seat in (game.x, game.o)]
    return (
        game.id, game.opponent, *seats, "".join(map(str, game.moves)), game.version, game.given,
        game.outcome, game.ending, game.rematch, game.following.id if game.following else None,
        game.code, game.assisted, game.hinted, game.changed_at,
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
    lesson = type("ThisLesson", (FourPeople,), {"app": app, "clock": Clock(Site(app, Settings()))})
    run(
        lesson,
        settings=settings(
            max_examples=times(5 if postgres else 60, 1_000 if postgres else 10_000),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
