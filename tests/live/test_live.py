"""What is live: who is here, what has changed, and what processes tell each other of it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from tests.support.patience import PATIENCE, until
from tests.support.people import Steady
from tests.support.postgres import Cluster
from webapp import live as module
from webapp.config import Settings
from webapp.live import BROKEN_S, Live, sealed, streamed
from webapp.store import Database, postgres, topics
from webapp.store.topics import Change

ANNA, BEN = "a" * 64, "b" * 64
CARRIED = 8000  # bytes that PostgreSQL carries in a message, less one


@pytest.fixture
def clock() -> Steady:
    return Steady()


@pytest.fixture
def live(clock: Steady) -> Live:
    return alone(clock)


def alone(clock: Steady) -> Live:
    return Live(SimpleNamespace(is_shared=False), clock)  # type: ignore[arg-type]


ACTS: dict[str, Callable[[Live, str], None]] = {
    "asks": lambda live, page: live.asked(ANNA, page),
    "hides": lambda live, page: live.asked(ANNA, page, hidden=True),
    "streams": lambda live, page: live.here_until(ANNA, inf, streamed(page)),
    "breaks": lambda live, page: live.left(ANNA, streamed(page), BROKEN_S),
    "leaves": lambda live, page: live.closed(ANNA, page),
}
LASTS = [
    *(("asks", 12), ("hides", 20), ("hides asks", 20), ("asks leaves", 2.5), ("leaves", 0)),
    *(("streams", inf), ("streams breaks", 10), ("streams breaks streams", inf)),
    *(("streams leaves breaks", 2.5), ("streams breaks leaves", 2.5), ("asks leaves asks", 2.5)),
    # A page is hidden: the server may hear of it, and of its stream's end, in any order.
    *(("streams hides breaks", 20), ("streams breaks hides", 20), ("hides streams", inf)),
]


@pytest.mark.parametrize("acts,seconds", LASTS)
def test_a_player_is_here_while_one_page_lasts(clock: Steady, acts: str, seconds: float) -> None:
    for other_acts, other_seconds in (("", 0), *LASTS):
        live, lasts = alone(clock), max(seconds, other_seconds)
        for page, acted in (("one", acts), ("other", other_acts)):
            for act in acted.split():
                ACTS[act](live, page)
        clock.seconds += min(lasts, 1e9) - 0.01
        assert live.is_here(ANNA) is (lasts > 0), other_acts
        clock.seconds += 0.02
        assert live.is_here(ANNA) is (lasts == inf), other_acts
        assert live.has_left(ANNA) is (0 < lasts < inf), other_acts


def test_a_beat_tells_who_has_come_and_who_has_gone(live: Live, clock: Steady) -> None:
    told = list[str]()
    live.tell = lambda changes: told.extend(topic for topic, _ in changes)
    for act in (lambda: live.asked(ANNA), list, lambda: live.asked(BEN)):
        act()
        live.beat()
        clock.seconds += 7
    expected = [[topics.CLASS, topics.player(one)] for one in (ANNA, BEN, ANNA)]
    live.beat()
    assert told[:2] == expected[0]
    assert sorted(told[2:]) == sorted([*expected[1], topics.player(ANNA)])


def test_who_came_last_is_first_but_for_a_moments_absence(live: Live, clock: Steady) -> None:
    for player in ("anna", "ben", "cem"):
        live.asked(player)
        live.here_until(player, inf, streamed("page"))
        clock.seconds += 1
    assert live.newest() == ["cem", "ben", "anna"]
    for away_s, newest in ((59, ["cem", "ben", "anna"]), (66, ["anna", "cem", "ben"])):
        live.left("anna", "page", 0)
        clock.seconds += away_s
        live.beat()
        assert live.newest() == ["cem", "ben"]
        live.here_until("anna", inf, streamed("page"))
        assert live.newest() == newest


def test_after_a_start_or_sleep_no_one_is_away_at_first(live: Live, clock: Steady) -> None:
    def away_after(beats: int) -> bool:
        for _ in range(beats):
            clock.seconds += 1
            live.beat()
        return live.is_away(ANNA)

    assert [away_after(9), away_after(1)] == [False, True]
    assert live.settles_in_s == 0
    clock.seconds += 75
    assert not live.is_away(ANNA), "before it has ticked again"
    assert live.settles_in_s == 10
    assert [away_after(10), away_after(1)] == [False, True]


def test_a_teacher_who_comes_or_goes_changes_the_class(live: Live) -> None:
    told = list[Change]()
    live.tell = told.extend
    live.note_teacher(ANNA, teaches=True)
    assert live.teachers() == {ANNA}
    assert not told, "who is not here"
    live.asked(BEN)
    for teaches in (True, True, False):
        live.note_teacher(BEN, teaches=teaches)
    assert live.teachers() == {ANNA}
    assert told == [Change(topics.CLASS)] * 2


def test_what_is_counted_grows_and_no_player_is_read_from_a_topic(live: Live) -> None:
    live.publish([Change(topics.CLASS), Change("game:1")])
    assert [live.number(topic) for topic in (topics.CLASS, topics.MENACE, "game:1")] == [1, 0, 0]
    names = {sealed(topics.player(player)) for player in (ANNA, BEN, ANNA)}
    assert {len(name) for name in names} == {16}
    assert len(names) == 2


def tells(one: Live, other: Live, name: str = "one") -> None:
    for message in one._beats():
        assert len(postgres.telling(message)) < CARRIED
        other._hear({"from": name, **message})


def test_another_process_says_who_is_on_its_pages_alone(live: Live, clock: Steady) -> None:
    other, players = alone(clock), {f"{number:064x}" for number in range(500)}
    for player in players:
        other.asked(player)
    tells(other, live)
    assert live.here() == players
    assert [message["here"] for message in live._beats()] == [{}]
    other.left(max(players), "", 0)
    clock.seconds += 2
    tells(other, live)
    clock.seconds += 0.1
    assert live.here() == players - {max(players)}
    clock.seconds += 2.5
    assert live.here() == set(), "it was not heard of any more"


def test_teachers_of_another_process_are_forgotten_with_it(live: Live, clock: Steady) -> None:
    other = alone(clock)
    other.note_teacher(ANNA, teaches=True)
    other.here_until(ANNA, inf)
    tells(other, live)
    assert live.teachers() == {ANNA}
    other.note_teacher(ANNA, teaches=False)
    tells(other, live, "restarted")
    for _ in range(63):
        clock.seconds += 1
        tells(other, live, "restarted")
        live.beat()
    assert live.is_here(ANNA)
    assert not live.teachers()


@pytest.fixture
def database(tmp_path: Path, postgres: Cluster) -> Iterator[Database]:
    database = Database(Settings(data=tmp_path, database_url=postgres.emptied()))
    yield database
    database.close()


@pytest.fixture
def other(postgres: Cluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.emptied(), autocommit=True) as connection:
        connection.execute("LISTEN tictactoe")
        yield connection


class Listens(Live):
    """A process that listens, and counts how often it may have missed something."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.told, self.losses, self.ends = list[Any](), 0, False
        self.tell, self.lost = self.told.extend, self._lose
        self.thread = threading.Thread(target=self._again)
        self.thread.start()
        until(lambda: self.losses)  # what was changed before it listened

    def _lose(self) -> None:
        self.losses += 1

    def _again(self) -> None:
        while not self.ends:
            with suppress(OperationalError):
                self.listen()


@pytest.fixture
def listens(
    database: Database, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    monkeypatch.setattr(module, "BEAT_S", 0.1)
    live = Listens(database)
    yield live
    live.ends = True
    while live.thread.is_alive():
        postgres.cut()
        live.thread.join(0.1)


def says(other: psycopg.Connection, **message: object) -> None:
    text = json.dumps({"from": "other", **message})
    other.execute("SELECT pg_notify('tictactoe', %s)", (text,))


def test_changes_are_told_after_the_commit(database: Database, other: psycopg.Connection) -> None:
    changed = [topics.calls(f"{number:064x}") for number in range(500)]
    with suppress(ZeroDivisionError), database.write() as connection:
        topics.note(connection, "undone")
        raise ZeroDivisionError
    page = topics.PAGE.set("page of the request")
    with database.write() as connection:
        topics.note(connection, topics.CLASS, topics.RESULTS)
        topics.note(connection, *changed)
    topics.PAGE.reset(page)
    told = list[Any]()
    for notice in other.notifies(timeout=PATIENCE):
        assert len(notice.payload) < CARRIED
        told += json.loads(notice.payload)["changes"]
        if len(told) == 502:
            break
    assert told[0][0] == topics.RESULTS, "who is woken by the class asks for them"
    assert {topic for topic, _ in told} == {topics.RESULTS, topics.CLASS, *changed}
    assert {by for _, by in told} == {"page of the request"}


def test_a_process_hears_another_also_after_a_cut(listens: Listens, postgres: Cluster) -> None:
    for cut in (False, True):
        before = listens.losses
        if cut:
            postgres.cut()
            until(lambda before=before: listens.losses > before)  # type: ignore[misc]
        with psycopg.connect(postgres.emptied(), autocommit=True) as other:
            says(other, changes=[["game:1", "page"]])
            says(other, here={ANNA: 60_000 * cut}, teach=[])
            until(lambda: listens.told)
            assert listens.told.pop() == ("game:1", "page")
            until(lambda cut=cut: listens.is_here(ANNA) is cut)  # type: ignore[misc]


def test_without_messages_each_beat_asks(listens: Listens, monkeypatch: pytest.MonkeyPatch) -> None:
    def hears() -> bool:
        listens.beat()
        return listens.hears

    hear = postgres.Channel.hear
    monkeypatch.setattr(module, "_DEAF_AFTER_S", 0.5)
    with monkeypatch.context() as dropped:
        dropped.setattr(postgres.Channel, "hear", lambda *given: list(hear(*given))[:0])
        until(lambda: not hears())
        before = listens.losses
        listens.beat()
        assert listens.losses == before + 1
    until(hears)
