"""Whose request goes next: moves, then who has asked least lately."""

import pytest

from webapp.web import order
from webapp.web.order import MOVES, PLAYER, WINDOW, Place, Queue, Senders

SCHOOL, ELSEWHERE = "198.51.100.7/32", "203.0.113.9/32"
NOW = 1_000_000.0


@pytest.fixture
def senders() -> Senders:
    senders = Senders()
    for player in ("anna", "ben"):
        senders.answered(player, NOW)
        senders.seat(player, "game")
    return senders


def place(senders: Senders, player: str | None, game: str = "", now: float = NOW) -> Place:
    found = senders.ask(player, SCHOOL, now, game=game)
    assert found is not None
    return found


def taken(queue: Queue[str]) -> str:
    return "".join(iter(queue.take, None))


def test_moves_go_first_then_every_fifth_page_and_without_room_the_last_page_goes() -> None:
    queue = Queue[str](room=99)
    for number in range(8):
        queue.put("p", Place(is_move=False, at=0))
        queue.put("m", Place(is_move=True, at=number))
    assert taken(queue) == "mmmmpmmmmppppppp"
    for is_move in (True, False):
        for who, at in zip("abcde", (5, 3, 9, 3, 1), strict=True):
            queue.put(who, Place(is_move, at))
        assert taken(queue) == "ebdac"
    queue = Queue[str](room=2)
    waiting = ("m", True, 9), ("p", False, 1), ("q", False, 2), ("n", True, 5), ("o", True, 7)
    gone = [queue.put(who, Place(is_move, at)) for who, is_move, at in waiting]
    assert gone == [None, None, "q", "p", "m"]
    assert taken(queue) == "no"


def test_who_has_asked_least_in_the_last_ten_seconds_has_the_earliest_place(
    senders: Senders,
) -> None:
    for player in ("anna", "ben"):
        senders.moved(player, NOW, accepted=True)
    for player, times in (("anna", 50), ("ben", 20)):
        for _ in range(times):
            place(senders, player)
    calm, busy, flood = (place(senders, player) for player in (None, "ben", "anna"))
    assert calm < busy < flood
    later = NOW + 5 * WINDOW
    assert place(senders, None, now=later) > flood, "the flood is answered in the end"
    assert place(senders, "anna", now=later).at - later < WINDOW, "and forgiven"


def test_two_moves_a_second_go_first_in_the_game_where_their_player_is_seated(
    senders: Senders,
) -> None:
    asked = ("anna", "game"), ("anna", "other"), ("cem", "game"), (None, "game")
    found = [place(senders, player, game).is_move for player, game in asked]
    assert found == [True, False, False, False]
    assert all(place(senders, "anna", "game", NOW + n / 2).is_move for n in range(1, 600))
    fast = [place(senders, "ben", "game").is_move for _ in range(MOVES + 1)]
    assert fast == [True] * MOVES + [False]
    assert 2 * WINDOW <= MOVES < 3 * WINDOW


def test_a_refused_move_counts_as_five_requests(senders: Senders) -> None:
    senders.moved("anna", NOW, accepted=True)
    for _ in range(MOVES // 5 + 1):
        assert place(senders, "anna", "game").is_move
        senders.moved("anna", NOW, accepted=False)
    assert not place(senders, "anna", "game").is_move
    assert place(senders, "anna") > place(senders, "ben"), "and her pages come later"


def test_cookies_that_have_never_moved_share_the_count_of_their_address(senders: Senders) -> None:
    for number in range(200):
        senders.answered(f"invented {number}", NOW)
        place(senders, f"invented {number}")
    senders.moved("anna", NOW, accepted=True)
    elsewhere = senders.ask("cem", ELSEWHERE, NOW)
    assert place(senders, "anna") == elsewhere == Place(is_move=False, at=NOW)
    assert place(senders, "ben").at > NOW + WINDOW


def test_a_flood_is_refused_until_it_pauses_and_nobody_else_feels_it(senders: Senders) -> None:
    def asks(player: str | None, now: float = NOW) -> bool:
        return senders.ask(player, SCHOOL, now) is not None

    assert [asks("anna") for _ in range(2 * PLAYER)] == [True] * PLAYER + [False] * PLAYER
    newcomers = [asks(None) for _ in range(order.NEWCOMERS + 1)]
    assert newcomers == [True] * order.NEWCOMERS + [False]
    assert asks("ben")
    assert asks("anna", NOW + 1), "what was refused does not count"
    assert all(asks("anna", NOW + 5 * WINDOW) for _ in range(PLAYER - 2))


def test_no_more_is_remembered_than_needed_those_away_longest_least(senders: Senders) -> None:
    for number in range(order.KNOWN + 10):
        for player in ("ben", f"player {number}"):
            senders.answered(player, NOW)
            senders.seat(player, "game")
            senders.moved(player, NOW, accepted=True)
    assert [senders.knows(player) for player in ("ben", "anna", "player 0")] == [True, False, False]
    assert len(senders._seats) == len(senders._moved) == order.KNOWN
