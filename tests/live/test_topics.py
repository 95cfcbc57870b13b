"""Pages wait for topics, and are woken by what they show, and by nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.patience import PATIENCE, until
from webapp.live import topics as live
from webapp.live.topics import Topics, Visit, Watch, Woken


class Steady:
    """A clock that the test moves."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Steady:
    return Steady()


@pytest.fixture
def topics(clock: Steady, monkeypatch: pytest.MonkeyPatch) -> Topics:
    monkeypatch.setattr(live, "uniform", lambda least, _most: least)
    made = Topics(clock)
    made.open(waits=True)
    return made


class Waiting:
    """A request that waits on a thread of its own."""

    def __init__(self, topics: Topics, watch: Watch, player: str, address: str) -> None:
        self.result: Woken | None = None
        self._thread = threading.Thread(target=self._wait, args=(topics, watch, player, address))
        self._thread.start()

    def _wait(self, topics: Topics, watch: Watch, player: str, address: str) -> None:
        self.result = topics.wait(watch, Visit(player, address))

    def ended(self) -> Woken | None:
        self._thread.join(PATIENCE)
        return self.result


@contextmanager
def waits(
    topics: Topics, *names: str, player: str = "anna", watch: Watch | None = None, at: str = ""
) -> Iterator[Waiting]:
    """A request that has begun to wait."""
    before = topics._of_player[player]
    waiting = Waiting(topics, watch or topics.watch(*names), player, at)
    until(lambda: waiting.result or topics._of_player[player] > before)
    yield waiting
    topics.open(waits=False)
    waiting.ended()


def test_a_page_is_woken_by_its_topics_only_and_at_once_by_a_game(topics: Topics) -> None:
    with waits(topics, "game:1", "class") as waiting:
        topics.publish(["game:2", "boards"])
        topics.publish(["class"])  # for which it has patience, as it has not for the game
        topics.wake_due()
        assert waiting.result is None
        topics.publish(["game:1"])
        assert waiting.ended() is Woken.CHANGED


def test_what_was_published_before_the_wait_is_not_missed(topics: Topics) -> None:
    watch = topics.watch("game:1")
    topics.publish(["game:1"])
    assert not topics.is_current(watch)
    assert topics.wait(watch, Visit("anna")) is Woken.CHANGED


@pytest.mark.parametrize(
    "topic,seconds", [("class", 2), ("boards", 5), ("calls:anna", 2), ("answers", 0.5)]
)
def test_many_changes_of_the_class_come_as_one(
    topics: Topics, clock: Steady, topic: str, seconds: float
) -> None:
    with waits(topics, watch=topics.watch(topic, patience_s=2)) as waiting:
        for _ in range(9):
            topics.publish([topic])
            clock.seconds += (seconds - 0.1) / 9
            topics.wake_due()
        assert waiting.result is None
        clock.seconds += 0.2
        topics.wake_due()
        assert waiting.ended() is Woken.CHANGED


def test_the_pages_of_a_class_are_woken_one_after_the_other(
    topics: Topics, clock: Steady, monkeypatch: pytest.MonkeyPatch
) -> None:
    leisures = iter([1.0, 0.8, 1.2, 0.8])
    monkeypatch.setattr(live, "uniform", lambda _least, _most: next(leisures))
    with waits(topics, "boards") as first, waits(topics, "boards", player="ben") as second:
        topics.publish(["boards"])
        clock.seconds += 5.1
        topics.wake_due()
        assert (first.ended(), second.result) == (Woken.CHANGED, None)
        clock.seconds += 1
        topics.wake_due()
        assert second.ended() is Woken.CHANGED


def test_an_answer_after_half_a_second_is_shown_at_once(topics: Topics, clock: Steady) -> None:
    with waits(topics, "answers") as waiting:
        clock.seconds += 0.5
        topics.publish(["answers"])
        assert waiting.ended() is Woken.CHANGED


def test_the_page_of_the_player_who_moved_has_the_answer_already(topics: Topics) -> None:
    with waits(topics, "game:1") as mine, waits(topics, "game:1", player="ben") as other:
        topics.publish(["game:1"], by="anna")
        assert mine.ended() is Woken.NOTHING
        assert other.ended() is Woken.CHANGED


def test_a_wait_ends_by_itself_within_ten_seconds(topics: Topics, clock: Steady) -> None:
    with waits(topics, "game:1") as waiting:
        clock.seconds += live.LONGEST_S
        topics.wake_due()
        assert waiting.ended() is Woken.NOTHING


def test_time_alone_changes_a_page_that_says_when(topics: Topics, clock: Steady) -> None:
    watch = Watch(("game:1",), 0, expires=clock.seconds + 3)
    with waits(topics, watch=watch) as waiting:
        clock.seconds += 2.9
        topics.wake_due()
        assert waiting.result is None
        assert topics.is_current(watch)
        clock.seconds += 0.2
        topics.wake_due()
        assert waiting.ended() is Woken.CHANGED
    assert not topics.is_current(watch)


def test_a_good_bye_lets_all_requests_of_the_player_go(topics: Topics) -> None:
    with waits(topics, "class") as mine, waits(topics, "class", player="ben") as other:
        topics.release("anna")
        assert mine.ended() is Woken.NOTHING
        assert other.result is None


def test_a_player_waits_with_two_pages_at_most(topics: Topics) -> None:
    with waits(topics, "class"), waits(topics, "class"):
        assert topics.wait(topics.watch("class"), Visit("anna")) is Woken.AT_ONCE


def test_the_busiest_address_makes_room(topics: Topics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST", 3)
    with (
        waits(topics, "class", player="a", at="flood") as oldest,
        waits(topics, "class", player="b", at="flood") as next_one,
        waits(topics, "class", player="c", at="school") as other,
        waits(topics, "class", player="d", at="school") as newest,
    ):
        assert oldest.ended() is Woken.AT_ONCE
        assert [one.result for one in (next_one, other, newest)] == [None] * 3


def test_a_token_leads_back_to_its_topics(topics: Topics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_WATCHES", 2)
    watch = topics.watch("class")
    tokens = [topics.remember(watch) for _ in range(3)]
    assert [topics.recall(token) for token in tokens] == [None, watch, watch]


def test_forgotten_topics_count_as_changed(topics: Topics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_PUBLISHED", 2)
    old = topics.watch("game:9")
    topics.publish(["game:1"])
    topics.publish(["game:2"])
    assert topics.is_current(old)
    topics.publish(["game:3"])
    assert not topics.is_current(old)
    assert topics.is_current(topics.watch("game:9"))


def test_nothing_waits_before_the_start_and_after_the_end(topics: Topics) -> None:
    assert Topics().wait(topics.watch("class"), Visit("anna")) is Woken.AT_ONCE
    with waits(topics, "class") as waiting:
        topics.open(waits=False)
        assert waiting.ended() is Woken.AT_ONCE


def test_a_thousand_publications_at_once_lose_no_page(topics: Topics) -> None:
    """Each page sees the last change, whatever happens between its question and its wait."""
    shown, stored = dict.fromkeys(range(20), 0), [0]

    def follow(page: int) -> None:
        while shown[page] < 1000:
            watch = topics.watch("game:1")
            shown[page] = stored[0]
            if shown[page] < 1000:
                topics.wait(watch, Visit(f"player {page}"))

    threads = [threading.Thread(target=follow, args=(page,)) for page in shown]
    for thread in threads:
        thread.start()
    for number in range(1, 1001):
        stored[0] = number
        topics.publish(["game:1"])
    for thread in threads:
        thread.join(PATIENCE)
    assert set(shown.values()) == {1000}
    assert not topics.waiting()
