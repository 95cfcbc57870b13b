"""Games that players join by a code, and leave for another one."""

import pytest

from tests.service.conftest import ALICE, BOB, CAROL
from webapp.core.game import Game
from webapp.service import games, lobby, seeks
from webapp.service.site import Site as Service


def opened(host: Service, player: str, mark: str) -> Game:
    return games.look(host, lobby.challenge(host, player, mark), player).game


def test_a_code_is_read_as_people_type_or_paste_it() -> None:
    pasted = "http://192.168.1.20:8000/join/K7M2QX/"
    for typed in ("k7m2qx", " K7M-2QX. ", "Ｋ７Ｍ２ＱＸ", "k٧m۲qx", pasted):
        assert lobby.as_code(typed) == "K7M2QX"


@pytest.mark.parametrize("onward", ["join", "challenge", "seek"])
def test_a_game_left_before_a_move_counts_for_neither(host: Service, onward: str) -> None:
    first = opened(host, ALICE, "x")
    lobby.join(host, first.code or "", CAROL)
    games.play(host, first.id, ALICE, 4, 2)
    if onward == "join":
        lobby.join(host, opened(host, BOB, "x").code or "", CAROL, give_up=True)
    elif onward == "challenge":
        lobby.challenge(host, CAROL, "x", give_up=True)
    else:
        seeks.seek(host, CAROL, give_up=True)
    assert games.look(host, first.id, ALICE).game.cancelled


def test_a_game_that_a_player_leaves_after_a_move_is_given_up(host: Service) -> None:
    first = opened(host, ALICE, "o")
    lobby.join(host, first.code or "", CAROL)
    games.play(host, first.id, CAROL, 4, 2)
    lobby.challenge(host, CAROL, "x", give_up=True)
    ended = games.look(host, first.id, ALICE).game.outcome
    assert ended
    assert (ended.winner, ended.ending) == (*first.marks_of(ALICE), "resign")
