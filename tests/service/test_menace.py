"""What MENACE learns from, what it does not, and what the teacher may do about it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event, Thread
from typing import Any

import pytest

from tests.support.patience import PATIENCE
from tests.support.visitor import Site, journal_of
from webapp import store
from webapp.analysis import menace as curves
from webapp.analysis.menace import Point
from webapp.classroom import Act
from webapp.core.game import Game
from webapp.engines.menace import Beads, boxes, learn, menace
from webapp.service import games, players
from webapp.service import menace as machine
from webapp.service.refusals import Conflict, Unacceptable
from webapp.service.site import Site as Service
from webapp.service.teacher import note
from webapp.store.menace import Lesson

ALICE, BOB = "a" * 64, "b" * 64
CHOSEN = {"opponent": "menace", "mark": "o"}


def beads(host: Service) -> Beads:
    return machine.look(host).beads


def lessons(host: Service) -> list[Lesson]:
    with host.database.read() as connection:
        return [*store.menace.after(connection, 0)]


def play(
    host: Service, player: str = ALICE, helped: Callable[[Game], object] | None = None
) -> Game:
    """Play a game to its end, on the first free cell each time."""
    game = games.start(host, player, CHOSEN).game
    if helped:
        helped(game)
        game = games.look(host, game.id, player).game
    while not game.outcome:
        cell = game.board.legal_moves[0]
        game = games.play(host, game.id, player, cell, game.version).game
    return game


def test_every_game_that_ends_on_the_board_teaches_it_once(host: Service) -> None:
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


@pytest.mark.parametrize("help_", [games.hint, None], ids=["hint", "left"])
def test_a_game_with_help_or_without_an_end_teaches_nothing(
    host: Service, help_: Callable[..., object] | None
) -> None:
    if help_:
        play(host, helped=lambda game: help_(host, game.id, ALICE, game.version))
    else:
        game = games.start(host, ALICE, CHOSEN).game
        games.again(host, game.id, ALICE, {"opponent": "easy", "mark": "x"})
    assert lessons(host) == []
    assert beads(host) == boxes()


def test_it_gives_up_before_an_empty_box_and_learns_that_it_lost(host: Service) -> None:
    beads(host)
    empty = {box: held if not box else (0,) * len(held) for box, held in boxes().items()}
    host.learnt.engine = menace(empty)
    game = games.start(host, ALICE, CHOSEN).game
    game = games.play(host, game.id, ALICE, game.board.legal_moves[0], game.version).game
    assert (len(game.moves), game.outcome and game.outcome.ending) == (2, "resign")
    assert game.outcome
    assert game.outcome.winner is game.engine_mark.other  # type: ignore[union-attr]
    assert beads(host) == learn(boxes(), game.moves)
    assert sum(beads(host)[0]) == 11


def test_its_games_count_in_the_score_and_for_no_rating(host: Service) -> None:
    game = play(host)
    you = players.look(host, ALICE)
    [record] = [one for one in you.computers if one.opponent == "menace"]
    assert record.won + record.drawn + record.lost == 1
    assert game.outcome
    assert you.place is None
    with host.database.read() as connection:
        assert host.ranking.table(connection).rated == {}


@pytest.mark.parametrize("mark", ["x", "alternate"])
def test_against_it_you_play_o(host: Service, mark: str) -> None:
    with pytest.raises(Unacceptable, match="MENACE plays X"):
        games.start(host, ALICE, {"opponent": "menace", "mark": mark})
    with pytest.raises(Unacceptable, match="MENACE has X"):
        games.start(host, ALICE, CHOSEN, given=(4, 0))
    assert games.start(host, ALICE, CHOSEN, given=(4,)).game.turn is not None
    other = games.start(host, ALICE, {"opponent": "easy", "mark": "x"}, 4).game
    with pytest.raises(Unacceptable, match="MENACE plays X"):
        games.again(host, other.id, ALICE, {"opponent": "menace", "mark": mark})


def test_all_that_a_player_taught_it_can_be_taken_back(host: Service) -> None:
    kept = boxes()
    for player in (ALICE, BOB, ALICE, BOB, ALICE):
        game = play(host, player)
        kept = learn(kept, game.moves) if player == BOB else kept
    machine.take_back(host, ALICE)
    assert beads(host) == kept
    assert [one.player for one in lessons(host)] == [BOB, BOB]
    learnt = learn(kept, play(host).moves)
    assert beads(host) == learnt
    assert journal_of(host)[0].act is Act.UNLEARN


def test_the_lessons_of_a_player_who_goes_stay_without_them(host: Service) -> None:
    play(host)
    before = beads(host)
    players.forget(host, ALICE)
    assert beads(host) == before
    assert [one.player for one in lessons(host)] == [None]


def test_it_is_trained_with_a_seed_and_starts_afresh(host: Service) -> None:
    machine.train(host, "hard", 600, "7")
    first, found = beads(host), machine.look(host)
    assert found.games == 600
    assert [(one.rival, len(one.games)) for one in lessons(host)] == [
        ("hard", 250), ("hard", 250), ("hard", 100)
    ]  # fmt: skip
    assert found.lessons == [], "no one of the class"
    machine.start_afresh(host)
    assert beads(host) == boxes()
    assert lessons(host) == []
    machine.train(host, "hard", 600, "7")
    assert beads(host) == first
    assert machine.look(host).curve == found.curve
    assert [one.act for one in journal_of(host)[:3]] == [Act.TRAIN, Act.AFRESH, Act.TRAIN]


def test_one_training_goes_on_at_a_time_and_pages_see_how_far_it_is(
    host: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[tuple[int, int] | None]()

    def watched(*given: object, **more: object) -> None:
        seen.append(host.learnt.training)
        if host.learnt.training:
            with pytest.raises(Conflict, match="trained already"):
                machine.train(host, "easy", 10, "1")
        add(*given, **more)  # type: ignore[arg-type]

    add = store.menace.add
    monkeypatch.setattr(store.menace, "add", watched)
    machine.train(host, "menace", 600, "7")
    assert seen == [(250, 600), (500, 600), None]
    assert machine.look(host).training is None


def test_no_move_waits_for_the_curve(host: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, goes_on, compute = Event(), Event(), curves._point

    def slow(games: int, beads: Beads) -> Point:
        begun.set()
        assert goes_on.wait(PATIENCE)
        return compute(games, beads)

    monkeypatch.setattr(curves, "_point", slow)
    page = Thread(target=machine.look, args=(host,))
    page.start()
    assert begun.wait(PATIENCE)
    assert play(host).outcome
    goes_on.set()
    page.join()
    assert [point.games for point in machine.look(host).curve] == [0, 1]


def test_a_training_that_cannot_begin_leaves_the_way_free(
    host: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(machine, "note", lambda *_, **__: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            machine.train(host, "easy", 10, "1")
    machine.train(host, "easy", 10, "1")
    assert machine.look(host).games == 10


def test_of_two_trainings_that_begin_at_once_one_goes_on(
    host: Service, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on, going = Event(), Event(), list[object]()

    def slow(*what: Any, **more: Any) -> None:
        begun.set()
        assert goes_on.wait(PATIENCE)
        note(*what, **more)

    monkeypatch.setattr(machine, "note", slow)
    monkeypatch.setattr(machine, "_train", lambda *what: going.append(what))
    one = aside.submit(machine.train, host, "easy", 10, "1")
    assert begun.wait(PATIENCE)
    other = aside.submit(machine.train, host, "easy", 10, "1")
    wait([other], 0.3)
    goes_on.set()
    one.result()
    with pytest.raises(Conflict):
        other.result()
    assert len(going) == 1


def test_a_process_that_starts_later_knows_all_of_it(site: Site, host: Service) -> None:
    play(host)
    machine.train(host, "easy", 30, "7")
    other = Service(replace(site.settings))
    try:
        assert beads(other) == beads(host)
        assert machine.look(other).curve == machine.look(host).curve
    finally:
        other.database.close()
