from dataclasses import replace

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.core.board import LINES, Mark, Outcome
from webapp.core.game import Game, Kind, Reason, Score
from webapp.core.options import Options
from webapp.engines.registry import ENGINES
from webapp.store import Database, games, players, records, topics, tournaments
from webapp.tournament.event import Entrant, Format, Match, Opening, Tournament

ALICE, BOB, CAROL = "a" * 64, "b" * 64, "c" * 64
WON, DRAWN = (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8)
texts = st.characters(codec="utf-8", exclude_characters="\0")
"""Of what texts are made; PostgreSQL keeps no zero in them, and nothing stored has one."""


def _playable(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The moves before the highest cell, or until the game is over."""
    game = Game()
    for cell in cells[: cells.index(8)]:
        game = game if game.outcome else game.play(cell)
    return game.moves


reasons = st.builds(
    Reason,
    st.sampled_from(["win", "block", "fork", "random"]) | st.text(max_size=20),
    st.lists(st.sampled_from(LINES), max_size=3).map(tuple),
)
seats = st.sampled_from([ALICE, BOB])
slugs = st.sampled_from([*ENGINES]) | st.text(texts, min_size=1, max_size=200)
kinds = st.one_of(
    st.tuples(st.just(Kind.ONE_DEVICE), seats, seats, st.none()),
    st.tuples(st.just(Kind.TWO_DEVICES), seats, seats, st.none()),
    st.tuples(st.just(Kind.ENGINE), st.none(), seats, slugs),
)
endings = st.builds(Outcome, st.sampled_from(Mark), ending=st.sampled_from(["resign", "claim"]))
any_game = st.builds(
    lambda kind, **more: Game(
        id="A" * 22, kind=kind[0], x_seat=kind[1], o_seat=kind[2], engine=kind[3], **more),
    kinds, moves=st.permutations(range(9)).map(lambda cells: _playable(tuple(cells))),
    reasons=st.lists(st.none() | reasons, max_size=9).map(tuple),
    hint=st.none() | st.tuples(st.integers(0, 8), reasons), assisted=st.booleans(),
    ended=st.none() | endings | st.just(Outcome(None, ending="left")),
    next_id=st.none() | st.just("B" * 22), given=st.integers(0, 9),
    rematch=st.none() | st.sampled_from(Mark)
)  # fmt: skip


def game(identifier: str, x: str | None = ALICE, o: str | None = None, **more: object) -> Game:
    against = {"kind": Kind.ENGINE, "engine": "easy"}
    if o and x:
        against = {"kind": Kind.ONE_DEVICE if o == x else Kind.TWO_DEVICES}
    return Game(id=identifier, x_seat=x, o_seat=o, **{"moves": (4,), **against, **more})  # type: ignore[arg-type]


def live_game(identifier: str, x: str, o: str, **more: object) -> Game:
    return game(identifier, x, o, **{"kind": Kind.TWO_DEVICES, "engine": None, "moves": (), **more})


def store(database: Database, *several: Game) -> list[Game]:
    with database.write() as connection:
        return [games.insert(connection, one, now) for now, one in enumerate(several, 1)]


def change(database: Database, before: Game, after: Game, now: int = 9) -> Game | None:
    with database.write() as connection:
        return games.save(connection, before, after, now)


def found(database: Database, identifier: str, player: str = ALICE) -> Game | None:
    with database.read() as connection:
        here = games.find(connection, identifier, player)
        return here and here.game


@given(kept=any_game, changed=any_game)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_game_comes_back_as_it_was_saved(database: Database, kept: Game, changed: Game) -> None:
    with database.write() as connection:
        for table in ("games", "records"):
            connection.execute(sa.text(f"DELETE FROM {table}"))  # noqa: S608
        stored = games.insert(connection, kept, 7, "key")
    assert stored == replace(kept, version=1) == found(database, kept.id)
    with database.read() as connection:
        assert games.by_start_key(connection, "key") == kept.id
    after = change(database, stored, changed, 8)
    assert after == replace(changed, version=2) == found(database, kept.id)
    assert after.changed_at == 8


def test_all_moments_are_shifted_and_a_move_from_before_is_not_stored(database: Database) -> None:
    event = Tournament(
        "T" * 22, Format.ARENA, Opening.EMPTY, 10, 60_000, ticked_at=50_000, ends_at=400_000
    )
    alice, match = Entrant(ALICE, free_since=30_000), Match(1, 0, ALICE, BOB, since=40_000)
    going = game("A", ALICE, BOB, tournament=event.id, clock=10, deadline=70_000)
    others = replace(going, id="B", tournament="another"), game("C", ALICE, BOB)
    before, *_ = store(database, going, *others)
    for gap, now, deadline in ((2000, 0, 72_000), (10, 65_000, 75_000), (-10, 0, 74_990)):
        with database.write() as connection:
            if gap == 2000:
                tournaments.insert(connection, event, 1)
                tournaments.put(connection, event.id, [alice])
                tournaments.put_matches(connection, event.id, [match])
            tournaments.shift(connection, event.id, gap)
            tournaments.restart_clocks(connection, event.id, now)
        assert change(database, before, before.play(0)) is None
        shifted = found(database, "A")
        assert shifted
        assert (shifted.moves, shifted.deadline) == (before.moves, deadline)
        before = shifted
    assert change(database, before, before.play(0))
    with database.read() as connection:
        kept = tournaments.find(connection, event.id)
        assert kept == replace(event, ticked_at=52_000, ends_at=402_000)
        assert tournaments.entered(connection, event.id) == [alice._replace(free_since=32_000)]
        assert tournaments.of(connection, event.id) == [match._replace(since=42_000)]
        assert [one.deadline for one in games.among(connection, "BC").values()] == [70_000, None]


def test_who_sits_in_a_game_with_others_while_it_goes_on(database: Database) -> None:
    store(database, game("A", ALICE, BOB), game("B", CAROL, ALICE), game("C", ALICE))
    store(database, game("D", BOB, "d" * 64), game("E", CAROL, CAROL))
    over = game("F", ALICE, "f" * 64)
    store(database, replace(over, ended=Outcome(Mark.X, ending="resign")))
    open_ = replace(game("G", "e" * 64, BOB), o_seat=None)
    store(database, open_)
    with database.read() as connection:
        for players, ids in ((ALICE,), "AB"), ((CAROL, "e" * 64), "BG"), (("f" * 64,), ""):
            assert {one.id for one in games.seated(connection, players)} == set(ids)


def test_there_is_no_game_of_another_id_and_no_two_of_one_key(database: Database) -> None:
    store(database, game("A"), game("B"))  # many have none
    with database.write() as connection:
        games.insert(connection, game("C"), 1, "key")
    with pytest.raises(sa.exc.IntegrityError), database.write() as connection:
        games.insert(connection, game("D"), 1, "key")
    for identifier in ("a", "", "A ", "D", "A\x00", "%", "_", "🐼"):
        assert found(database, identifier) is None
    with database.read() as connection:
        assert games.by_start_key(connection, "") is None


def test_a_change_of_a_stale_version_is_not_stored_and_counts_nothing(database: Database) -> None:
    (before, other) = store(database, game("A", moves=WON[:4]), game("B"))
    after = before.play(2)
    for stale in (replace(before, version=2), replace(before, version=0), replace(before, id="C")):
        assert change(database, stale, after) is None
    assert change(database, before, after) == replace(after, version=2)
    assert change(database, before, after) is None
    assert found(database, "A") == replace(after, version=2)
    assert found(database, "B") == other, "a change touches no other game"
    with database.read() as connection:
        assert records.score(connection, ALICE, "easy") == Score(won=1)


@pytest.mark.parametrize("end,expected", [
    (game("A", None, ALICE, moves=WON[:4]), [(ALICE, "easy", "l")]),
    (game("A", ALICE, BOB, moves=WON[:4]), [(ALICE, BOB, "w"), (BOB, ALICE, "l")]),
    (game("A", moves=WON[:4], assisted=True), []),
])  # fmt: skip
def test_with_a_finished_game_it_is_counted_once(
    database: Database, end: Game, expected: list[tuple[str, str, str]]
) -> None:
    (before,) = store(database, end)
    published = list[topics.Change]()
    database.on_commit = published.extend
    over = change(database, before, before.reply(2, Reason("win")))
    assert over
    assert change(database, over, replace(over, rematch=Mark.X)), "a change of a finished game"
    with database.read() as connection:
        known = [one for player in (ALICE, BOB) for one in records.of(connection, player)]
        assert [(one.player, one.opponent, one.recent) for one in known] == expected
        ranks = topics.RESULTS in {one.topic for one in published}
        assert ranks == bool(expected), "the table is to be computed again"
        for player, opponent, result in expected:
            score = records.score(connection, player, opponent)
            assert score == Score(*(int(result == one) for one in "wdl"))
            (record,) = records.of(connection, player)
            assert (record.recent, record.run) == (result, int(result == "w"))
            assert record.person is (opponent in (ALICE, BOB))


@pytest.mark.parametrize("x,o", [(None, ALICE), (ALICE, ALICE)])
def test_the_last_changed_waits_first(database: Database, x: str | None, o: str | None) -> None:
    left = game("F", x, o, ended=Outcome(None, ending="left"))
    going = game("A", x, o), game("B", x, o), game("C", BOB), game("D", x, o, moves=())
    others = game("E", x, o, moves=WON), left, game("G", x, o, next_id="C")
    store(database, *going, *others, live_game("H", ALICE, BOB))
    with database.read() as connection:
        for player, most, ids in ((ALICE, 10, "HBA"), (ALICE, 1, "H"), (BOB, 10, "HC")):
            assert [one.id for one in games.waiting(connection, player, most)] == [*ids]
        assert [one.id for one in games.recent(connection, ALICE, 10)] == ["E"]


def test_live_games_are_listed_in_the_order_they_were_opened_in(database: Database) -> None:
    several = [live_game(one, BOB, CAROL) for one in "ABCD"]
    finished = live_game("X", BOB, CAROL, moves=DRAWN)
    stored = store(database, *several, finished, game("Y"), game("Z", ALICE, ALICE))
    assert change(database, stored[0], stored[0].play(4))
    with database.read() as connection:
        # The first has changed last.
        for since, most, ids in ((0, 100, "ABCD"), (3, 100, "ACD"), (0, 2, "AD")):
            assert [one.id for one in games.live(connection, since, most)] == [*ids]


def test_a_player_is_called_to_live_games_and_from_those_just_ended(database: Database) -> None:
    first, over = live_game("A", ALICE, BOB), live_game("B", BOB, ALICE, moves=DRAWN)
    followed = live_game("C", ALICE, BOB, moves=DRAWN, next_id="A")
    asked = live_game("D", ALICE, BOB, moves=DRAWN, rematch=Mark.X)
    others = live_game("E", CAROL, BOB), game("F"), game("G", ALICE, ALICE)
    store(database, first, over, followed, asked, *others, live_game("H", BOB, ALICE))
    with database.read() as connection:
        for since, expected in ((0, "HDBA"), (3, "HDA"), (9, "HA")):
            found = games.calling(connection, ALICE, since)
            assert "".join(one.id for one in found) == expected


def test_a_players_options_come_back(database: Database) -> None:
    store(database, game("A"))
    for options in (Options("hard", "o", "o"), Options("friend", "alternate", None)):
        with database.write() as connection:
            players.save(connection, ALICE, options, 1)
        with database.read() as connection:
            for player, expected in ((ALICE, options), (BOB, Options())):
                assert players.find(connection, player)[0] == expected
                here = games.find(connection, "A", player)
                assert here
                assert (here.options, here.viewer.name, here.score) == (expected, None, Score())
