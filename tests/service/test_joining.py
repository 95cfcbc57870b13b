"""Games that players join by a code, and leave for another one."""

import pytest

from tests.service.conftest import ALICE, BOB, CAROL
from webapp.core.game import Game
from webapp.service import games, wishes
from webapp.service.site import Site as Service


def begun(host: Service, player: str, mark: str, other: str, *, give_up: bool = False) -> Game:
    game_id = wishes.join(host, wishes.invite(host, player, mark), other, give_up=give_up)
    return games.look(host, game_id or "", other).game


def test_a_code_is_read_as_people_type_or_paste_it() -> None:
    pasted = "http://192.168.1.20:8000/join/K7M2QX/"
    for typed in ("k7m2qx", " K7M-2QX. ", "Ｋ７Ｍ２ＱＸ", "k٧m۲qx", pasted):
        assert wishes.as_code(typed) == "K7M2QX"


@pytest.mark.parametrize("onward", ["join", "challenge", "seek"])
def test_a_game_left_before_a_move_counts_for_neither(host: Service, onward: str) -> None:
    first = begun(host, ALICE, "x", CAROL)
    games.play(host, first.id, ALICE, 4, first.version)
    if onward == "join":
        begun(host, BOB, "x", CAROL, give_up=True)
    elif onward == "challenge":
        wishes.invite(host, CAROL, "x", give_up=True)
    else:
        wishes.seek(host, CAROL, give_up=True)
    assert games.look(host, first.id, ALICE).game.cancelled


def test_a_game_that_a_player_leaves_after_a_move_is_given_up(host: Service) -> None:
    first = begun(host, ALICE, "o", CAROL)
    games.play(host, first.id, CAROL, 4, first.version)
    wishes.invite(host, CAROL, "x", give_up=True)
    ended = games.look(host, first.id, ALICE).game.outcome
    assert ended
    assert (ended.winner, ended.ending) == (*first.marks_of(ALICE), "resign")
