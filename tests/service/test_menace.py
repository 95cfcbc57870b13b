from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from unittest.mock import create_autospec

import pytest

from tests.service.conftest import ALICE, on_both
from tests.support.visitor import Site
from webapp import store
from webapp.analysis import menace as curves
from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.engines.menace import Beads, boxes, learn, menace
from webapp.service import games, players
from webapp.service import menace as machine
from webapp.service.refusals import Conflict
from webapp.service.site import Site as Service
from webapp.store import topics
from webapp.store.menace import Lesson

CHOSEN = {"opponent": "menace", "mark": "o"}


@pytest.fixture(autouse=True)
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "MAX_POINTS", 20)


def beads(host: Service) -> Beads:
    return machine.look(host).beads


def lessons(host: Service) -> list[Lesson]:
    with host.database.read() as connection:
        return [*store.menace.after(connection, 0)]


def play(host: Service, player: str = ALICE, *, hinted: bool = False) -> Game:
    game = games.start(host, player, CHOSEN).game
    if hinted:
        game = games.hint(host, game.id, player, game.version).game
    while not game.outcome:
        game = games.play(host, game.id, player, game.board.legal_moves[0], game.version).game
    return game


@on_both
def test_every_game_that_ends_teaches_it_once_also_when_its_player_goes(host: Service) -> None:
    expected, played = boxes(), list[tuple[int, ...]]()
    for _ in range(5):
        game = play(host)
        played.append(game.moves)
        expected = learn(expected, game.moves)
        assert beads(host) == expected
    assert [one.games for one in lessons(host)] == [(moves,) for moves in played]
    assert {(one.player, one.rival) for one in lessons(host)} == {(ALICE, None)}
    found = machine.look(host)
    assert (found.games, found.last) == (5, game.moves)
    assert [point.games for point in found.curve] == [0, 1, 2, 3, 4, 5]
    players.forget(host, ALICE)
    assert beads(host) == expected
    assert {one.player for one in lessons(host)} == {None}


@on_both
def test_games_that_end_at_once_teach_it_in_turn(host: Service, aside: Executor) -> None:
    pupils, expected = (letter * 64 for letter in "abcdefgh"), boxes()
    played = [*aside.map(lambda player: play(host, player), pupils)]
    for number, lesson in enumerate(lessons(host), 1):
        (moves,) = lesson.games
        assert lesson.number == number
        expected = learn(expected, moves)
    assert sorted(one.games for one in lessons(host)) == sorted((game.moves,) for game in played)
    assert beads(host) == expected


def test_a_game_with_help_or_without_an_end_teaches_nothing(host: Service) -> None:
    play(host, hinted=True)
    game = games.start(host, ALICE, CHOSEN).game
    games.again(host, game.id, ALICE, {"opponent": "easy", "mark": "x"})
    assert (lessons(host), beads(host)) == ([], boxes())


def test_it_gives_up_before_an_empty_box_and_learns_that_it_lost(host: Service) -> None:
    assert beads(host) == boxes()
    empty = {box: held if not box else (0,) * len(held) for box, held in boxes().items()}
    host.learnt.engine = menace(empty)
    game = play(host)
    assert game.outcome
    assert (len(game.moves), game.outcome.winner, game.outcome.ending) == (2, Mark.O, "resign")
    assert beads(host) == learn(boxes(), game.moves)
    you = players.look(host, ALICE)
    [record] = [one for one in you.computers if one.opponent == "menace"]
    assert (record.won, you.place) == (1, None)
    with host.database.read() as connection:
        assert host.ranking.table(connection) == {}, "its games count in no rating"


def test_it_is_trained_with_a_seed_and_starts_over(host: Service) -> None:
    machine.train(host, "hard", 600, "7")
    first, found = beads(host), machine.look(host)
    assert (found.games, found.lessons) == (600, []), "none of the class"
    assert [(one.rival, len(one.games)) for one in lessons(host)] == [("hard", 500), ("hard", 100)]
    old = lessons(host)[0]
    machine.start_over(host)
    assert (beads(host), lessons(host)) == (boxes(), [])
    play(host)
    with host.database.write() as connection:
        store.menace.keep(connection, old)
    assert [one.life for one in lessons(host)] == [None], "what came of what is deleted"
    machine.start_over(host)
    machine.train(host, "hard", 600, "7")
    assert (beads(host), machine.look(host).curve) == (first, found.curve)


@pytest.mark.parametrize("end, left", [(machine.end_training, 500), (machine.start_over, 0)])
def test_a_training_can_be_watched_and_ended_and_ends_where_it_starts_over(
    host: Service, monkeypatch: pytest.MonkeyPatch, end: Callable[[Service], None], left: int
) -> None:
    number, told = host.live.number, list[int]()

    def ends(site: Service) -> None:
        assert machine.look(site).training == (500, 10_000)
        with pytest.raises(Conflict, match="already being trained"):
            machine.train(site, "easy", 10, "1")
        end(site)
        told.append(number(topics.MENACE))

    monkeypatch.setattr(machine, "keep", ends)
    machine.train(host, "hard", 10_000, "7")
    assert (machine.look(host).games, machine.look(host).training) == (left, None)
    assert number(topics.MENACE) > told[0], "pages are told that it is over"


def test_a_new_process_goes_on(site: Site, host: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    play(host)
    for games_ in (500, 30):
        machine.train(host, "easy", games_, "7")
    play(host)
    learnt = create_autospec(curves.Life.learn, side_effect=curves.Life.learn)
    monkeypatch.setattr(curves.Life, "learn", learnt)
    other = Service(replace(site.settings))
    try:
        machine.keep(other)
        assert learnt.call_count == 31, "and stores nothing before there are 500 more"
        assert [one.number for one in lessons(other) if one.life] == [2]
        assert machine.look(other)[:3] == machine.look(host)[:3]
    finally:
        other.database.close()
