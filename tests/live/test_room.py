"""Processes that share a PostgreSQL: each hears what the others change, and who is on their pages.

The other process is a connection that says what one would say.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.patience import PATIENCE, until
from tests.support.postgres import Cluster
from webapp.config import Settings
from webapp.live import Live, room
from webapp.live.topics import Visit, Watch, Woken
from webapp.store import Database, postgres, topics

ANNA, BEN = "a" * 64, "b" * 64
CARRIED = 8000
"""How many bytes PostgreSQL carries in a message, less one."""


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes tell each other five times as often who is here."""
    monkeypatch.setattr(room, "_BEAT_S", 0.2)


@pytest.fixture
def settings(tmp_path: Path, postgres: Cluster) -> Settings:
    return Settings(data=tmp_path, database_url=postgres.emptied())


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    database = Database(settings)
    yield database
    database.close()


@pytest.fixture
def other(settings: Settings) -> Iterator[psycopg.Connection]:
    """What another process hears and speaks by."""
    with psycopg.connect(settings.database_url or "", autocommit=True) as connection:
        connection.execute("LISTEN tictactoe")
        yield connection


@pytest.fixture
def idle(database: Database) -> Live:
    """What is live in this process, before its start."""
    return Live(database)


@pytest.fixture
def start(idle: Live) -> Iterator[Callable[[], None]]:
    stopped = threading.Event()
    before = set(threading.enumerate())
    yield lambda: idle.start(stopped.is_set)
    stopped.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)


@pytest.fixture
def live(idle: Live, start: Callable[[], None]) -> Live:
    """What is live in this process, which hears the others."""
    start()
    until(lambda: idle.topics.latest)  # as it begins, all pages are out of date
    return idle


def says(other: psycopg.Connection, payload: str | dict[str, object]) -> None:
    text = payload if isinstance(payload, str) else json.dumps({"from": "other", **payload})
    other.execute("SELECT pg_notify('tictactoe', %s)", (text,))


def heard(other: psycopg.Connection, which: Callable[[Any], object]) -> Any:
    """The first such message that another process hears."""
    for told in other.notifies(timeout=PATIENCE):
        message = json.loads(told.payload)
        if which(message):
            return message
    raise AssertionError("it was not told")


def test_what_is_changed_here_is_told_after_the_commit_in_messages_that_fit(
    live: Live, database: Database, other: psycopg.Connection
) -> None:
    changed = [topics.calls(f"{number:064x}") for number in range(500)]
    with database.write() as connection:
        topics.note(connection, *changed, by=BEN)
        topics.note(connection, topics.CLASS, topics.RESULTS)
    told = list[tuple[str, str]]()
    for notice in other.notifies(timeout=PATIENCE):
        assert len(notice.payload) < CARRIED
        told += map(tuple, json.loads(notice.payload).get("changes", ()))
        if len(told) >= 502:
            break
    assert told[0] == (topics.RESULTS, ""), "who is woken by the class asks for them"
    assert sorted(told[1:]) == sorted([*((one, BEN) for one in changed), (topics.CLASS, "")])


def test_a_change_that_is_undone_is_not_told(
    live: Live, database: Database, other: psycopg.Connection
) -> None:
    page = live.topics.watch("game:1")
    with suppress(ZeroDivisionError), database.write() as connection:
        topics.note(connection, "game:1")
        raise ZeroDivisionError
    with database.write() as connection:
        topics.note(connection, "game:2")
    assert heard(other, lambda message: "changes" in message)["changes"] == [["game:2", ""]]
    assert live.topics.is_current(page)


def test_players_of_another_process_come_and_leave(live: Live, other: psycopg.Connection) -> None:
    page = live.topics.watch(topics.here(ANNA))
    says(other, {"here": {ANNA: 60_000}, "gone": []})
    assert live.topics.wait(page, Visit(BEN), PATIENCE) is Woken.CHANGED
    assert live.presence.is_here(ANNA)
    says(other, {"here": {}, "gone": [ANNA]})
    until(lambda: live.presence.has_left(ANNA))


def test_who_is_here_is_told_in_messages_that_fit(live: Live, other: psycopg.Connection) -> None:
    players = {f"{number:064x}" for number in range(500)}
    for player in players:
        live.presence.asked(player, seldom=True)
    told = set[str]()
    for notice in other.notifies(timeout=PATIENCE):
        assert len(notice.payload) < CARRIED
        told |= json.loads(notice.payload)["here"].keys()
        if told == players:
            break
    assert told == players
    live.leave(max(players))
    assert heard(other, lambda message: message["gone"])["gone"] == [max(players)]


UNREADABLE = "", "no JSON", "7", "[1]", '{"of": 1}', '{"from": "a"}', '{"from": "a", "here": []}'


def test_what_cannot_be_read_may_have_been_a_change_and_the_next_one_is_heard(
    live: Live, other: psycopg.Connection
) -> None:
    for payload in UNREADABLE:
        page = live.topics.watch("game:1")
        says(other, payload)
        until(lambda page=page: not live.topics.is_current(page))  # type: ignore[misc]
    hears_of_a_change(live, other)


def hears_of_a_change(live: Live, other: psycopg.Connection) -> None:
    """Check that it hears of one, however often that has to be said."""

    def hears() -> bool:
        page = live.topics.watch("game:2")
        says(other, {"changes": [("game:2", ANNA)]})
        return bool(live.topics.wait(page, Visit(BEN), 0.1) is Woken.CHANGED)

    until(hears)


def test_after_a_cut_pages_ask_again_and_the_next_change_is_heard(
    live: Live, postgres: Cluster, settings: Settings
) -> None:
    page = live.topics.watch("game:1")
    postgres.cut()
    until(lambda: not live.topics.is_current(page))
    with psycopg.connect(settings.database_url or "", autocommit=True) as other:
        hears_of_a_change(live, other)


def test_what_changes_before_it_listens_is_not_missed(
    idle: Live,
    start: Callable[[], None],
    other: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell, pages = postgres.Channel.tell, list[Watch]()

    def listen(channel: postgres.Channel, messages: Any) -> None:
        if not pages:
            pages.append(idle.topics.watch("game:1"))  # a page is read
            says(other, {"changes": [("game:1", "")]})
        tell(channel, messages)

    monkeypatch.setattr(postgres.Channel, "tell", listen)
    start()
    until(lambda: pages and not idle.topics.is_current(pages[0]))


def test_where_no_message_comes_no_page_waits_and_each_counts_as_out_of_date(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    hear = postgres.Channel.hear

    def hear_nothing(channel: postgres.Channel, for_s: float) -> Iterator[Any]:
        list(hear(channel, for_s))
        return iter(())

    monkeypatch.setattr(room, "_DEAF_AFTER_S", 0.5)
    with monkeypatch.context() as dropped:
        dropped.setattr(postgres.Channel, "hear", hear_nothing)
        until(lambda: not live.topics.may_wait)
        page = live.topics.watch("game:1")
        assert live.topics.wait(page, Visit(ANNA)) is Woken.AT_ONCE
        until(lambda: not live.topics.is_current(page))
    until(lambda: live.topics.may_wait)
