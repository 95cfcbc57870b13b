"""Requests that wait: what ends a wait, how soon, and for whom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from tests.support.patience import PATIENCE, until
from tests.support.people import Clock
from tests.support.postgres import Cluster
from tests.support.visitor import Site
from webapp.core.board import Mark
from webapp.engines.registry import ENGINES, Catalogue
from webapp.service import news as service
from webapp.service.games import Games
from webapp.service.host import Host
from webapp.service.lobby import Lobby
from webapp.service.news import Ask, GaveWay, News
from webapp.service.players import Players
from webapp.service.pov import Stamp
from webapp.service.presence import Presence
from webapp.store import Database, games
from webapp.store import news as stored

ALICE, BOB, CAROL, DAN = (letter * 64 for letter in "abcd")
FOR_EVER = 10 * PATIENCE


@dataclass
class Class:
    """Requests that wait in one worker; and another one, with connections of its own."""

    news: News
    there: Database
    clock: Clock
    aside: ThreadPoolExecutor
    stopping: bool = False

    def __post_init__(self) -> None:
        self.games = Games(self.there, Catalogue(ENGINES), self.clock)
        self.lobby = Lobby(self.there, self.clock)
        self.players = Players(self.there, own_names=True, now=self.clock)
        self.presence = Presence(self.there, self.clock)

    def sit_down(self, x: str = ALICE, o: str = BOB) -> str:
        """Let two people begin a game; return its id."""
        game = self.lobby.challenge(x, "x")
        return self.lobby.join(self.games.look(game, x).game.code or "", o)

    def stamp(self, game: str, viewer: str) -> Stamp:
        """What a page shows that is opened now."""
        return self.games.look(game, viewer).stamp

    def move(self, game: str, player: str, cell: int) -> None:
        self.games.play(game, player, cell, self.stamp(game, player).version)

    def comes(self, *people: str) -> None:
        """Write down that these are here; time stands still, so they stay."""
        for player in people:
            self.presence.asked(player)
        self.presence.write({})

    def ask(
        self,
        player: str,
        *shown: str,
        counter: int | None = None,
        least: float = 0,
        address: str = "",
    ) -> Future[bool | None]:
        """Let a page wait that shows these games as they are now."""
        stamps = {game: self.stamp(game, player) for game in shown}
        return self.wait(Ask(player, stamps, counter, least), address)

    def wait(self, ask: Ask, address: str = "") -> Future[bool | None]:
        """Let a page wait; return once the watcher knows of it."""
        answer = self.aside.submit(self.news.wait, ask, address)

        def is_watched() -> bool:
            with self.news._changing:
                begun = any(one.ask is ask for one in self.news._waits)
                counted = ask.counter is None or self.news._counter is not None
                return begun and counted and self.news._games.keys() >= ask.games.keys()

        until(lambda: answer.done() or is_watched())
        return answer


@pytest.fixture
def pupils(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Class]:
    """A class whose pages wait for ever; in the end no request has left anything behind."""
    for name in ("_GLANCE", "_REVIEW", "_LATE", "_WRITTEN"):
        monkeypatch.setattr(service, name, 0.1)
    monkeypatch.setattr(service, "_LINGER", 0.2)
    monkeypatch.setattr(service, "LONGEST", FOR_EVER)
    news: News = site.app.extensions["news"]
    clock = Clock(site)
    there = Database(site.settings)
    with ThreadPoolExecutor(10) as aside:
        found = Class(news, there, clock, aside)
        before = {*threading.enumerate()}
        news.start(lambda: found.stopping)
        begun = {*threading.enumerate()} - before
        yield found

        def in_the_end(true: Callable[[], object]) -> None:
            # On PostgreSQL the watcher sleeps for a second, unless it is woken.
            until(lambda: news._wake() or true())

        def reviewed() -> bool:
            # A watcher that has left before it has reviewed all comes back.
            news._someone.set()
            return not (news._of_game or news._games or news._of or news._new)

        in_the_end(lambda: not news._waits)
        found.stopping = True
        in_the_end(reviewed)
        in_the_end(lambda: news._stopped.is_set() and not news._someone.is_set())
        in_the_end(lambda: news._counter is None)  # the watcher has left
        until(lambda: sum(one.is_alive() for one in begun) == 1, "someone else may still write")
    there.close()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request waits for long."""
    monkeypatch.setattr(service, "LONGEST", 0.6)


# --- a game ---------------------------------------------------------------------------------------


@pytest.fixture
def unlooked(pupils: Class) -> Iterator[None]:
    """The watcher looks at nothing that no one has told it of."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_GLANCE", "_REVIEW"):
            patch.setattr(service, name, FOR_EVER)
        yield


def test_a_move_in_another_worker_ends_a_wait_at_once(pupils: Class, unlooked: None) -> None:
    game = pupils.sit_down()
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        mover, other = (ALICE, BOB) if ply % 2 == 0 else (BOB, ALICE)
        answers = [pupils.ask(one, game) for one in (other, CAROL)]
        pupils.move(game, mover, cell)
        assert [answer.result(PATIENCE) for answer in answers] == [True, True]


def test_the_page_of_the_mover_gets_nothing_new_unless_it_asks_again(pupils: Class) -> None:
    game = pupils.sit_down()
    before = Ask(ALICE, {game: pupils.stamp(game, ALICE)})
    answer = pupils.wait(before)
    pupils.move(game, ALICE, 4)
    assert answer.result(PATIENCE) is False, "the answer to the move is there already"
    assert pupils.wait(before).result(PATIENCE) is True, "another tab, or an answer that was lost"


@pytest.mark.parametrize("against", ["easy", "friend"])
def test_a_page_of_a_game_alone_gets_nothing_new_of_what_its_player_does(
    pupils: Class, against: str
) -> None:
    game = pupils.games.start(ALICE, {"opponent": against, "mark": "x"}, 4).game
    for act in (
        (pupils.games.undo, pupils.games.hint) if against == "easy" else (pupils.games.undo,)
    ):
        before = Ask(ALICE, {game.id: pupils.stamp(game.id, ALICE)})
        answer = pupils.wait(before)
        act(game.id, ALICE, before.games[game.id].version)
        assert answer.result(PATIENCE) is False, "the answer is there already"
        assert pupils.wait(before).result(PATIENCE) is True, "another tab"


def test_a_reply_to_a_move_is_news_for_the_mover(pupils: Class) -> None:
    game = pupils.sit_down()
    before = Ask(ALICE, {game: pupils.stamp(game, ALICE)})
    pupils.move(game, ALICE, 4)
    answer = pupils.ask(ALICE, game)
    pupils.move(game, BOB, 0)
    assert answer.result(PATIENCE) is True
    assert pupils.wait(before).result(PATIENCE) is True


@pytest.mark.parametrize("known", [False, True])
def test_what_happens_between_two_waits_is_found_by_the_next_one(
    pupils: Class, *, known: bool
) -> None:
    game = pupils.sit_down()
    before = Ask(BOB, {game: pupils.stamp(game, BOB)})
    if known:  # the watcher still has it, as it was
        pupils.ask(CAROL, game)
    pupils.move(game, ALICE, 4)
    assert pupils.wait(before).result(PATIENCE) is True
    assert pupils.wait(before).result(PATIENCE) is True


def test_a_game_that_no_page_has_shown_before_is_read_at_once(
    pupils: Class, unlooked: None
) -> None:
    game, other = pupils.sit_down(), pupils.sit_down(CAROL, DAN)
    before = Ask(BOB, {game: pupils.stamp(game, BOB)})
    pupils.move(game, ALICE, 4)
    waits = pupils.ask(ALICE, other)  # the watcher has just looked at everything
    assert pupils.wait(before).result(PATIENCE) is True
    pupils.games.resign(other, CAROL, pupils.stamp(other, CAROL).version)
    assert waits.result(PATIENCE) is True


@pytest.mark.parametrize("seconds", [60, 600])
def test_a_moment_at_which_the_page_changes_ends_a_wait(pupils: Class, seconds: int) -> None:
    game = pupils.sit_down()
    pupils.clock.goes_on(seconds - 1)
    answer = pupils.ask(BOB, game)
    pupils.clock.goes_on(1)
    assert answer.result(PATIENCE) is True
    assert pupils.stamp(game, BOB).phase == (60, 600).index(seconds) + 1


def test_an_absence_and_a_return_end_the_waits_of_all_others(pupils: Class) -> None:
    game = pupils.sit_down()
    pupils.clock.goes_on(4)
    answers = [pupils.ask(one, game) for one in (BOB, CAROL)]
    pupils.clock.goes_on(1)
    assert [answer.result(PATIENCE) for answer in answers] == [True, True]
    assert pupils.stamp(game, BOB).away
    answers = [pupils.ask(one, game) for one in (BOB, CAROL)]
    hers = pupils.ask(ALICE, game)  # who waits is here
    assert [answer.result(PATIENCE) for answer in answers] == [True, True]
    assert not pupils.stamp(game, BOB).away
    assert not hers.done()
    pupils.clock.goes_on(1)
    pupils.presence.leave(ALICE)
    assert hers.result(PATIENCE) is False, "if the page is still there, it asks again"


def test_a_good_bye_keeps_no_page_from_waiting_that_asks_again(pupils: Class, short: None) -> None:
    game = pupils.sit_down()
    pupils.presence.leave(ALICE)
    pupils.clock.goes_on(1)
    start = time.monotonic()
    assert pupils.ask(ALICE, game).result(PATIENCE) is False
    assert time.monotonic() - start > 0.4, "it was not sent away before"


@pytest.mark.parametrize("how", ["withdrawn", "forgotten", "never there"])
def test_a_game_that_is_not_there_is_news(pupils: Class, how: str) -> None:
    game = pupils.lobby.challenge(ALICE, "x") if how != "never there" else "A" * 22
    answer = pupils.wait(Ask(BOB, {game: Stamp(1)}))
    if how == "withdrawn":
        pupils.games.resign(game, ALICE, 1)
    elif how == "forgotten":
        pupils.players.forget(ALICE)
    assert answer.result(PATIENCE) is True


@pytest.mark.parametrize("against", ["easy", "friend"])
def test_who_watches_another_kind_of_game_hears_of_its_moves(pupils: Class, against: str) -> None:
    begun = pupils.games.start(ALICE, {"opponent": against, "mark": "x"}, 4).game
    answer = pupils.ask(BOB, begun.id)
    pupils.games.undo(begun.id, ALICE, begun.version)
    assert answer.result(PATIENCE) is True


# --- a pause --------------------------------------------------------------------------------------


def test_a_pause_and_its_end_are_told_at_once_and_once(pupils: Class, unlooked: None) -> None:
    """To players and watchers of every kind of game, the front page, the class, and the host."""
    live = pupils.sit_down()
    alone = [
        pupils.games.start(CAROL, {"opponent": one, "mark": "x"}, 4).game.id
        for one in ("easy", "friend")
    ]
    eve, finn = "e" * 64, "f" * 64
    pupils.comes(ALICE, BOB, CAROL, DAN, eve, finn)
    host = Host(pupils.there, pupils.clock)
    for act in (host.pause, host.resume, host.pause):
        answers = [pupils.ask(one, live) for one in (ALICE, BOB, DAN)]
        answers += [pupils.ask(DAN, alone[0]), pupils.ask(eve, alone[1])]
        answers += [pupils.ask(CAROL, alone[0]), pupils.wait(Ask(CAROL, paused=act == host.resume))]
        for shown in ((), (live,)):
            answers.append(pupils.ask(finn, *shown, counter=pupils.lobby.counter(), least=0.1))
        time.sleep(0.3)
        assert not any(answer.done() for answer in answers), "what a page knows is no news"
        act()
        assert [answer.result(PATIENCE) for answer in answers] == [True] * len(answers)
    host.resume()


@pytest.mark.parametrize("old", ["2", "2.0", "2.0.0"])
def test_a_page_that_was_opened_before_an_upgrade_hears_of_a_pause(pupils: Class, old: str) -> None:
    game, seen = pupils.sit_down(), Stamp.read(old)
    assert seen
    answer = pupils.wait(Ask(BOB, {game: seen}))
    Host(pupils.there, pupils.clock).pause()
    assert answer.result(PATIENCE) is True
    assert pupils.wait(Ask(BOB, {game: seen})).result(PATIENCE) is True


def test_a_pause_between_two_waits_is_found_by_the_next_one(pupils: Class) -> None:
    game, host = pupils.sit_down(), Host(pupils.there, pupils.clock)
    for act in (host.pause, host.resume):
        before = Ask(BOB, {game: pupils.stamp(game, BOB)})
        until(lambda: not pupils.news._someone.is_set())  # the watcher has left
        act()
        assert pupils.wait(before).result(PATIENCE) is True


def test_in_a_pause_no_time_passes_for_a_page(
    pupils: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_REVIEW", 5)
    game, host = pupils.sit_down(), Host(pupils.there, pupils.clock)
    pupils.clock.goes_on(50)
    host.pause()
    answers = [pupils.ask(one, game) for one in (BOB, CAROL)]
    pupils.clock.goes_on(700)
    time.sleep(1.2)  # in which every watcher looks at what time alone changes
    assert not any(answer.done() for answer in answers)
    host.resume()
    assert [answer.result(PATIENCE) for answer in answers] == [True, True]
    answers = [pupils.ask(one, game) for one in (BOB, CAROL)]
    time.sleep(1.2)
    assert not any(answer.done() for answer in answers)
    pupils.clock.goes_on(10)
    assert [answer.result(PATIENCE) for answer in answers] == [True, True]
    assert pupils.stamp(game, BOB).phase == 1


# --- the class ------------------------------------------------------------------------------------


CHANGES: dict[str, tuple[bool, Callable[[Class, str], object]]] = {
    "a challenge": (True, lambda it, _: it.lobby.challenge(CAROL, "x")),
    "a beginning": (True, lambda it, _: it.sit_down(CAROL, DAN)),
    "an end": (True, lambda it, game: it.games.resign(game, BOB, 2)),
    "a name": (True, lambda it, _: it.players.rename(ALICE, "Ada")),
    "a player who comes": (True, lambda it, _: it.comes(CAROL)),
    "an end against an engine": (True, lambda it, _: _play_out(it)),
    "a player who has gone": (True, lambda it, _: it.players.forget(BOB)),
    "a move": (False, lambda it, game: it.move(game, ALICE, 4)),
    "a move against an engine": (False, lambda it, _: _begin(it)),
    "a player who stays": (False, lambda it, _: it.comes(ALICE)),
}


def _begin(it: Class) -> None:
    it.games.start(ALICE, {"opponent": "easy", "mark": "x"}, 4)


def _play_out(it: Class) -> None:
    game = it.games.start(CAROL, {"opponent": "hard", "mark": "x"}, 4).game
    while not game.outcome:
        game = it.games.play(game.id, CAROL, game.board.legal_moves[0], game.version).game


@pytest.mark.parametrize("change", CHANGES)
def test_the_class_waits_for_beginnings_ends_names_and_people_and_not_for_moves(
    pupils: Class, change: str, request: pytest.FixtureRequest
) -> None:
    game, (is_news, act) = pupils.sit_down(), CHANGES[change]
    if not is_news:
        request.getfixturevalue("short")
    pupils.comes(ALICE, DAN)
    before = pupils.lobby.counter()
    answer = pupils.ask(DAN, counter=before)
    act(pupils, game)
    assert answer.result(PATIENCE) is is_news
    assert (pupils.lobby.counter() > before) is is_news


def test_a_page_of_the_class_is_answered_every_few_seconds_at_the_most(pupils: Class) -> None:
    start = time.monotonic()
    answer = pupils.ask(ALICE, counter=pupils.lobby.counter(), least=0.8)
    pupils.lobby.challenge(BOB, "x")
    assert answer.result(PATIENCE) is True
    assert time.monotonic() - start >= 0.8
    assert pupils.wait(Ask(CAROL, counter=0)).result(PATIENCE) is True, "what is old is told"
    answer = pupils.ask(ALICE, counter=pupils.lobby.counter(), least=0.2)
    time.sleep(0.3)
    pupils.lobby.challenge(BOB, "o")
    assert answer.result(PATIENCE) is True, "it has waited for as long"


def test_a_game_that_a_page_of_the_class_waits_for_is_told_at_once(pupils: Class) -> None:
    game = pupils.sit_down()
    answer = pupils.ask(BOB, game, counter=pupils.lobby.counter(), least=FOR_EVER)
    pupils.lobby.challenge(CAROL, "x")  # which can wait
    pupils.move(game, ALICE, 4)
    assert answer.result(PATIENCE) is True


# --- how many, and for how long -------------------------------------------------------------------


def test_where_nothing_happens_a_wait_ends_in_time(pupils: Class, short: None) -> None:
    game, start = pupils.sit_down(), time.monotonic()
    pupils.comes(BOB, CAROL)
    answers = [pupils.ask(BOB, game), pupils.ask(CAROL, counter=pupils.lobby.counter())]
    assert [answer.result(PATIENCE) for answer in answers] == [False, False]
    assert time.monotonic() - start > 0.4


def test_two_requests_of_a_player_wait(pupils: Class) -> None:
    game = pupils.sit_down()
    hers = [pupils.ask(CAROL, game) for _ in range(2)]
    assert [pupils.ask(CAROL, game).result(PATIENCE) for _ in range(3)] == [None] * 3
    pupils.move(game, ALICE, 4)
    assert [answer.result(PATIENCE) for answer in hers] == [True] * 2
    begun = pupils.ask(CAROL, game)
    assert not begun.done(), "there is room again"
    pupils.move(game, BOB, 0)
    assert begun.result(PATIENCE)


def test_where_all_room_is_taken_the_oldest_of_the_address_that_has_most_makes_some(
    pupils: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST", 5)
    game = pupils.sit_down()
    home = [pupils.ask(one * 64, game, address="home") for one in "xy"]
    school = [pupils.ask(one * 64, game, address="school") for one in "uvw"]
    late = [pupils.ask(one, game, address=where) for one, where in ((CAROL, "home"), (DAN, "cafe"))]
    for gave_way in (school[0], home[0]):  # after Carol came, both addresses had three, then two
        with pytest.raises(GaveWay):
            gave_way.result(PATIENCE)
    left = [*home[1:], *school[1:], *late]
    assert not any(answer.done() for answer in left)
    monkeypatch.setattr(service, "ALONE", 5)
    at_the_front = Ask("e" * 64, paused=False, alone=True)
    assert pupils.wait(at_the_front).result(PATIENCE) is None, "the last places are for the others"
    pupils.move(game, ALICE, 4)
    assert [answer.result(PATIENCE) for answer in left] == [True] * 5


def test_a_stop_lets_all_go_and_no_one_wait_any_more(pupils: Class) -> None:
    game = pupils.sit_down()
    answers = [
        pupils.ask(BOB, game),
        pupils.ask(CAROL, counter=pupils.lobby.counter(), least=FOR_EVER),
    ]
    pupils.lobby.challenge(DAN, "x")  # news, but not yet told
    until(lambda: any(one.news for one in [*pupils.news._waits]))
    pupils.stopping = True
    assert [answer.result(PATIENCE) for answer in answers] == [False, True]
    assert pupils.ask(BOB, game).result(PATIENCE) is None


def test_before_a_worker_serves_nothing_waits(site: Site) -> None:
    news: News = site.app.extensions["news"]
    assert news.wait(Ask(ALICE, {"A" * 22: Stamp(1)})) is None


# --- faults ---------------------------------------------------------------------------------------


def test_a_database_that_is_out_of_reach_for_a_while_loses_no_news(
    pupils: Class, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch, tried = site.database.watch, list[None]()

    def fails_at_first() -> object:
        tried.append(None)
        if len(tried) < 4:
            raise sa.exc.OperationalError("SELECT", None, Exception("out of reach"))
        return watch()

    monkeypatch.setattr(site.database, "watch", fails_at_first)
    game = pupils.sit_down()
    before = Ask(BOB, {game: pupils.stamp(game, BOB)})
    answer = pupils.aside.submit(pupils.news.wait, before)
    until(lambda: len(tried) > 1)
    pupils.move(game, ALICE, 4)
    assert answer.result(PATIENCE) is True
    assert len(tried) == 4


def test_a_connection_that_breaks_while_it_watches_is_replaced(
    pupils: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pupils.sit_down()
    answer = pupils.ask(BOB, game)
    beyond, broken = stored.beyond, list[None]()

    def breaks(*_: object) -> None:
        broken.append(None)
        monkeypatch.setattr(stored, "beyond", beyond)
        raise sa.exc.OperationalError("SELECT", None, Exception("cut"))

    monkeypatch.setattr(stored, "beyond", breaks)
    until(lambda: broken)
    pupils.move(game, ALICE, 4)
    assert answer.result(PATIENCE) is True


@pytest.mark.parametrize("emptied_url", ["postgres"], indirect=True)
def test_connections_that_postgres_has_cut_are_made_again(pupils: Class, postgres: Cluster) -> None:
    game = pupils.sit_down()
    answer, classes = pupils.ask(BOB, game), pupils.ask(CAROL, counter=pupils.lobby.counter())
    postgres.cut()
    pupils.there.close()
    pupils.move(game, ALICE, 4)
    pupils.lobby.challenge(DAN, "x")
    assert [answer.result(PATIENCE), classes.result(PATIENCE)] == [True, True]


def test_a_change_that_is_undone_is_no_news(pupils: Class, short: None) -> None:
    game = pupils.sit_down()
    pupils.comes(BOB, CAROL)
    answers = [pupils.ask(BOB, game), pupils.ask(CAROL, counter=pupils.lobby.counter())]

    def fail() -> None:
        with pupils.there.write(ALICE, BOB) as connection:
            found = games.find(connection, game, ALICE)
            assert found
            games.save(connection, found.game, found.game.resign(Mark.X), 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    pupils.comes(BOB)  # a transaction on the same connection
    assert [answer.result(PATIENCE) for answer in answers] == [False, False]
