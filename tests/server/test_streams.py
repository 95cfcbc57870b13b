"""Streams of events: what a page is told, when, and who does without where there are too many."""

import asyncio
from collections.abc import Sequence
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.asgi import at_once
from webapp.live import Live, sealed
from webapp.server import streams as module
from webapp.server.streams import BEAT_S, REST_S, Streams
from webapp.store.topics import Change
from webapp.web.events import Wish


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "uniform", lambda least, _most: least)


class School:
    """What is live, its streams, and the players who have moved."""

    def __init__(self) -> None:
        self.loop, self.moved = asyncio.get_running_loop(), set[str]()
        self.live = Live(SimpleNamespace(is_shared=False), self.loop.time)  # type: ignore[arg-type]
        self.streams = Streams(self.live, self.moved.__contains__)

    def publish(self, *topics: str, by: str = "") -> None:
        self.live.publish([Change(topic, by) for topic in topics])

    async def page(self, player: str = "anna", *topics: str, name: str = "", at: str = "") -> Any:
        page = Page(self, player, topics or ("game:1",), name or f"{player}'s", at)
        assert await page.hears() == "hello"
        return page


class Page:
    """A page with a stream: what it is told, and when it was."""

    def __init__(self, school: School, player: str, topics: Sequence[str], name: str, at: str):
        self._names, self._loop = {sealed(topic): topic for topic in topics}, school.loop
        self.said, self._gone = asyncio.Queue[tuple[float, str]](), asyncio.Event()
        wish = Wish(player, name, frozenset(self._names), here=True)
        serving = school.streams.serve(wish, at, self._receive, self._send)
        self.stream = asyncio.create_task(serving)

    async def _receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["body"]:
            fields = dict(line.split(": ") for line in message["body"].decode().split("\n") if line)
            words = str(fields.get("event") or fields["data"]).split()
            said = [self._names.get(word, word) for word in words]
            self.said.put_nowait((self._loop.time(), " ".join(sorted(said))))

    async def hears(self) -> str:
        return (await self.said.get())[1]

    async def all_said(self, seconds: float = 0.01) -> list[str]:
        await asyncio.sleep(seconds)
        return [self.said.get_nowait()[1] for _ in range(self.said.qsize())]

    async def leaves(self) -> None:
        self._gone.set()
        await self.stream


@at_once
async def test_a_page_is_told_at_once_of_its_topics_and_of_nothing_else() -> None:
    school = School()
    page = await school.page("anna", "game:1", "calls:anna")
    school.publish("game:2", "class")
    assert await page.all_said(10) == []
    began = school.loop.time()
    school.publish("game:1", "calls:anna", "game:1")
    when, said = await page.said.get()
    assert (said, await page.all_said()) == ("calls:anna game:1", [])
    assert when == began


@at_once
@pytest.mark.parametrize("topic", ["class", "tournament:7", "boards", "answers"])
async def test_what_many_change_is_told_at_once_and_then_as_one_after_a_rest(topic: str) -> None:
    school, rest_s = School(), REST_S[topic.partition(":")[0]]
    page, began = await school.page("anna", topic, "game:1"), school.loop.time()
    for _ in range(10):
        school.publish(topic)
        await asyncio.sleep(rest_s / 10 - 0.001)
    school.publish("game:1")
    await asyncio.sleep(3 * rest_s)
    said = [page.said.get_nowait() for _ in range(page.said.qsize())]
    times = [when for when, name in said if name == topic]
    assert times == pytest.approx([began, began + rest_s])
    assert [name for _, name in said] == [topic, "game:1", topic]


@at_once
async def test_a_page_is_not_told_of_what_it_changed_and_the_players_other_tabs_are() -> None:
    school, names = School(), {"own": "anna", "tab": "anna", "other": "ben"}
    pages = [await school.page(player, name=name) for name, player in names.items()]
    school.publish("game:1", by="own")
    assert [await page.all_said() for page in pages] == [[], ["game:1"], ["game:1"]]


@at_once
async def test_silence_is_broken_by_a_beat() -> None:
    school = School()
    page = await school.page()
    assert await page.all_said(2 * BEAT_S + 1) == ["beat", "beat"]
    await asyncio.sleep(4)
    school.publish("game:1")
    assert await page.all_said(BEAT_S - 1) == ["game:1"]
    assert await page.all_said(2) == ["beat"]


@at_once
async def test_what_changes_while_a_page_comes_is_told_after_its_hello() -> None:
    school = School()
    page = Page(school, "anna", ["game:1", "class"], "page", "")
    await asyncio.sleep(0)  # it is known by now
    school.publish("game:1")
    assert await page.all_said() == ["hello", "game:1"]


@at_once
async def test_a_player_has_three_streams_and_the_next_one_ends_the_oldest() -> None:
    school = School()
    first, *rest = [await school.page(name=f"{number}") for number in range(4)]
    assert await first.all_said() == ["full"]
    assert first.stream.done()
    pages = [*rest, *(Page(school, "anna", ["game:1"], f"{n}", "") for n in range(9))]
    await asyncio.sleep(1)
    assert [page.stream.done() for page in pages] == [True] * 9 + [False] * 3


# Who have moved, who come to one address with room for six streams, and which of them do without.
CROWDS = [
    ("abc", "adbxyyzvwc", [5, 6, 7, 8]),
    ("abcx", "adbxyceed", [6, 7, 8]),
    ("abcdex", "abacdxe", [2]),
]


@at_once
@pytest.mark.parametrize("moved,come,out", CROWDS)
async def test_at_a_full_address_who_never_moved_goes_first_then_who_has_most_then_who_came_last(
    monkeypatch: pytest.MonkeyPatch, moved: str, come: str, out: list[int]
) -> None:
    monkeypatch.setattr(module, "MOST_OF_AN_ADDRESS", 6)
    school = School()
    school.moved |= {*moved}
    pages = [await school.page(player, at="school") for player in come]
    await asyncio.sleep(1)
    assert [at for at, page in enumerate(pages) if page.stream.done()] == out


@at_once
async def test_in_a_full_server_the_fullest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 8)
    school = School()
    flood = [await school.page(f"{number}", at="fl"[number % 2]) for number in range(8)]
    pupils = [await school.page(player, at="school") for player in ("anna", "ben")]
    await asyncio.sleep(1)
    assert not any(page.stream.done() for page in pupils)
    assert sum(page.stream.done() for page in flood) == 2


@at_once
async def test_a_player_is_here_while_a_page_has_a_stream_and_ten_seconds_more() -> None:
    school = School()
    page = await school.page(name="page")
    await asyncio.sleep(1000)
    await page.leaves()
    await asyncio.sleep(9)
    again = await school.page(name="page")
    await asyncio.sleep(1000)
    await asyncio.gather(again.leaves(), school.page(name="page"))  # in any order
    await asyncio.sleep(1000)
    assert school.live._pages["anna"]["~page"] == inf
    school.live.closed("anna", "page")
    await (await school.page(name="another")).leaves()
    for seconds, is_here in ((9.9, True), (0.2, False)):
        await asyncio.sleep(seconds)
        assert school.live.is_here("anna") is is_here


@at_once
async def test_all_streams_end_where_changes_are_missed_and_for_good_at_a_stop() -> None:
    school = School()
    for _ in range(2):
        pages = [await school.page(player) for player in ("anna", "ben")]
        school.live.lost()
        await asyncio.gather(*(page.stream for page in pages))
    page = await school.page()
    school.streams.end_all(stopping=True)
    await page.stream
    school.live.lost()
    await (await school.page()).stream
    assert not school.streams._streams
    assert not school.streams._of_topic


def test_a_thousand_changes_from_another_thread_lose_no_page() -> None:
    """Each page sees the last change, whatever happens between what it is told and its question."""

    async def follow(page: Page) -> None:
        shown = 0
        while shown < 1000:
            await page.hears()
            shown = stored[0]

    async def main() -> None:
        school = School()
        pages = [await school.page(f"{number}") for number in range(20)]
        told = asyncio.to_thread(change, school)
        await asyncio.wait_for(asyncio.gather(told, *map(follow, pages)), 60)

    def change(school: School) -> None:
        for number in range(1, 1001):
            stored[0] = number
            school.publish("game:1")

    stored = [0]
    asyncio.run(main())
