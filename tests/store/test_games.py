"""Games and players, as they are stored."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.config import Settings
from webapp.core.board import LINES, Mark
from webapp.core.game import Reason
from webapp.engines.registry import ENGINES
from webapp.store import Database, games, players
from webapp.store.games import CLASSMATE, GameRecord, Score
from webapp.store.players import Preferences

ALICE, BOB, CAROL = "a" * 64, "b" * 64, "c" * 64

texts = st.characters(codec="utf-8", exclude_characters="\0")
"""Of what texts are made; PostgreSQL keeps no zero in them, and nothing stored has one."""


@pytest.fixture(name="settings")
def _settings(tmp_path: Path, emptied_url: str | None) -> Settings:
    """Where a test keeps its data; nothing here is about how the tables came about."""
    return Settings(data=tmp_path, database_url=emptied_url)


reasons = st.builds(
    Reason,
    st.sampled_from(["win", "block", "fork", "random"]) | st.text(max_size=20),
    st.lists(st.sampled_from(LINES), max_size=3).map(tuple),
)
records = st.builds(
    GameRecord,
    id=st.just("AAAAAAAAAAAAAAAAAAAAAA"),
    x_seat=st.none() | st.sampled_from([ALICE, BOB]),
    o_seat=st.none() | st.sampled_from([ALICE, BOB]),
    opponent=st.sampled_from([*ENGINES, "friend"]) | st.text(texts, min_size=1, max_size=200),
    version=st.integers(1, 2**31 - 1),
    moves=st.permutations(range(9)).flatmap(
        lambda cells: st.integers(0, 9).map(lambda length: tuple(cells[:length]))
    ),
    reasons=st.lists(st.none() | reasons, max_size=9).map(tuple),
    hint=st.none() | st.tuples(st.integers(0, 8), reasons),
    helped=st.booleans(),
    outcome=st.sampled_from(["", "x", "o", "draw"]),
    next_id=st.none() | st.just("BBBBBBBBBBBBBBBBBBBBBB"),
    given=st.integers(0, 9),
    code=st.none() | st.just("ABC234"),
    ending=st.sampled_from([None, "resign", "claim", "left"]),
    rematch=st.sampled_from([None, "x", "o"]),
)


def record(
    identifier: str,
    player: str = ALICE,
    *,
    mark: str = "x",
    opponent: str = "easy",
    moves: tuple[int, ...] = (4,),
    outcome: str = "",
    helped: bool = False,
) -> GameRecord:
    return GameRecord(
        id=identifier,
        x_seat=player if mark in ("x", "both") else None,
        o_seat=player if mark in ("o", "both") else None,
        opponent=opponent,
        version=1,
        moves=moves,
        reasons=tuple(None for _ in moves),
        outcome=outcome,
        helped=helped,
    )


def store(database: Database, *several: GameRecord) -> None:
    with database.write() as connection:
        for now, one in enumerate(several, 1):
            games.insert(connection, one, None, now)


def found(database: Database, identifier: str, player: str = ALICE) -> GameRecord | None:
    with database.read() as connection:
        pair = games.for_player(connection, identifier, player)
        return pair[0] if pair else None


# --- round trips --------------------------------------------------------------------------------


@given(kept=records)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_game_comes_back_as_it_was_stored(database: Database, kept: GameRecord) -> None:
    with database.write() as connection:
        connection.execute(sa.text("DELETE FROM games"))
        games.insert(connection, kept, "key", 7)
    assert found(database, kept.id) == kept
    with database.read() as connection:
        assert games.by_start_key(connection, "key") == kept


@given(kept=records, changed=records)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_changed_game_comes_back_as_it_was_changed(
    database: Database, kept: GameRecord, changed: GameRecord
) -> None:
    with database.write() as connection:
        connection.execute(sa.text("DELETE FROM games"))
        games.insert(connection, kept, None, 7)
        assert games.replace(connection, kept, changed, 8)
    # Which game followed, and what it began from, are not among the things that a move changes.
    assert found(database, kept.id) == replace(changed, next_id=kept.next_id, given=kept.given)


def test_there_is_no_game_of_another_id(database: Database) -> None:
    store(database, record("A"))
    for identifier in ("a", "", "A ", "B", "A\x00", "%", "_"):
        assert found(database, identifier) is None
    with database.read() as connection:
        assert games.by_start_key(connection, "") is None


def test_two_games_cannot_have_the_same_key_but_many_have_none(database: Database) -> None:
    store(database, record("A"), record("B"))
    with database.write() as connection:
        games.insert(connection, record("C"), "key", 1)
    with pytest.raises(sa.exc.IntegrityError), database.write() as connection:
        games.insert(connection, record("D"), "key", 1)
    assert found(database, "D") is None


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.write() as connection:
            games.insert(connection, record("A"), None, 1)
            players.save(connection, ALICE, Preferences("hard"), 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert found(database, "A") is None
    with database.read() as connection:
        assert players.preferences(connection, ALICE) == Preferences()


# --- compare and swap ---------------------------------------------------------------------------


def test_a_change_from_a_stale_version_is_not_stored(database: Database) -> None:
    store(database, record("A"))
    before, newer = record("A"), replace(record("A"), version=2, moves=(4, 0))
    with database.write() as connection:
        assert not games.replace(connection, replace(before, version=2), newer, 1)
        assert not games.replace(connection, replace(before, version=0), newer, 1)
        assert games.replace(connection, before, newer, 1)
        assert not games.replace(connection, before, newer, 1)
    stored = found(database, "A")
    assert stored is not None
    assert (stored.version, stored.moves) == (2, (4, 0))


def test_a_change_touches_no_other_game(database: Database) -> None:
    store(database, record("A"), record("B"))
    with database.write() as connection:
        games.replace(connection, record("A"), replace(record("A"), version=2, moves=(4, 0)), 1)
    assert found(database, "B") == record("B")


def test_a_game_is_followed_by_one_game_for_ever(database: Database) -> None:
    store(database, record("A"), record("B"))
    with database.write() as connection:
        assert games.set_next(connection, "A", "C")
        assert not games.set_next(connection, "A", "D")
        assert not games.set_next(connection, "nothing", "D")
    stored, other = found(database, "A"), found(database, "B")
    assert stored is not None
    assert other is not None
    assert (stored.next_id, other.next_id) == ("C", None)


# --- seats --------------------------------------------------------------------------------------


def test_a_seat_tells_which_marks_a_player_moves() -> None:
    assert record("A").marks_of(ALICE) == {Mark.X}
    assert record("A", mark="o").marks_of(ALICE) == {Mark.O}
    assert record("A", mark="both").marks_of(ALICE) == {Mark.X, Mark.O}
    assert record("A").marks_of(BOB) == frozenset()


# --- waiting ------------------------------------------------------------------------------------


def waiting(database: Database, player: str = ALICE, most: int = 10) -> list[str]:
    with database.read() as connection:
        return [game.id for game in games.waiting(connection, player, most)]


@pytest.mark.parametrize("mark", ["x", "o", "both"])
def test_unfinished_games_wait_the_last_changed_first(database: Database, mark: str) -> None:
    assert waiting(database) == []
    store(
        database,
        record("A", mark=mark, opponent="hard"),
        record("B", mark=mark, opponent="easy"),
        record("C", BOB, mark=mark),
        record("D", mark=mark, moves=()),
        record("E", mark=mark, outcome="x"),
        record("F", mark=mark, outcome="draw"),
    )
    assert waiting(database) == ["B", "A"]
    assert waiting(database, most=1) == ["B"]
    assert waiting(database, BOB) == ["C"]


def test_a_game_between_two_people_waits_before_its_first_move(database: Database) -> None:
    store(database, replace(record("A", moves=()), opponent=CLASSMATE, o_seat=BOB))
    assert waiting(database) == waiting(database, BOB) == ["A"]


def test_a_game_that_was_followed_does_not_wait(database: Database) -> None:
    store(database, record("A"), record("B"))
    with database.write() as connection:
        games.set_next(connection, "B", "C")
    assert waiting(database) == ["A"]


# --- between classmates -------------------------------------------------------------------------


def between(identifier: str, x: str | None, o: str | None, outcome: str = "") -> GameRecord:
    return GameRecord(identifier, x, o, CLASSMATE, version=1, outcome=outcome)


def live(database: Database, player: str = ALICE, since: int = 0, most: int = 100) -> str:
    with database.read() as connection:
        return "".join(game.id for game in games.live(connection, player, since, most))


def test_challenges_and_unfinished_games_between_classmates_are_live(database: Database) -> None:
    store(
        database,
        between("A", BOB, None),
        between("B", None, BOB),
        between("C", BOB, CAROL),
        between("D", BOB, CAROL, outcome="draw"),
        record("E"),
        record("F", opponent="friend", mark="both"),
    )
    assert live(database) == "ABC"


def test_live_games_stay_in_the_order_they_were_opened_in(database: Database) -> None:
    several = [between(one, BOB, None if one in "BD" else CAROL) for one in "ABCDE"]
    store(database, *several)
    for game in (several[4], several[0]):
        with database.write() as connection:
            games.replace(connection, game, replace(game, version=2, moves=(4,)), 9)
        assert live(database) == "ABCDE"


def test_each_kind_of_live_games_has_a_limit_of_its_own(database: Database) -> None:
    several = [between(one, BOB, None if one in "BDF" else CAROL) for one in "ABCDEFG"]
    store(database, *several)
    with database.write() as connection:
        games.replace(connection, several[0], replace(several[0], version=2, moves=(4,)), 9)
    # Of the challenges those that wait longest, of the games those with the last moves.
    assert live(database, most=2) == "ABDG"


def test_ones_own_are_live_beyond_every_limit(database: Database) -> None:
    store(database, between("A", ALICE, BOB), *(between(one, BOB, CAROL) for one in "BC"))
    store(database, *(between(one, BOB, None) for one in "DE"), between("F", None, ALICE))
    assert live(database, most=1) == "ADCF"
    assert live(database, since=7) == "AF"
    assert live(database, CAROL, since=7) == "BC"


def test_games_that_have_not_changed_since_are_not_live(database: Database) -> None:
    store(database, between("A", BOB, None), between("B", BOB, CAROL), between("C", BOB, None))
    assert live(database, since=2) == "BC"
    assert live(database, since=3) == "C"


# --- scores -------------------------------------------------------------------------------------


def score(database: Database, player: str = ALICE, opponent: str = "easy") -> Score:
    with database.read() as connection:
        return games.score(connection, player, opponent)


def test_the_score_counts_finished_games_of_either_mark(database: Database) -> None:
    assert score(database) == Score(0, 0, 0)
    numbers = {("x", "x"): 2, ("x", "o"): 1, ("x", "draw"): 3, ("o", "x"): 5, ("o", "o"): 7}
    several = [
        record(f"{mark}{outcome}{number}", mark=mark, outcome=outcome)
        for (mark, outcome), times in numbers.items()
        for number in range(times)
    ]
    store(database, *several)
    assert score(database) == Score(won=2 + 7, drawn=3, lost=1 + 5)


def test_the_score_leaves_out_what_does_not_count(database: Database) -> None:
    store(
        database,
        record("A", outcome="x", helped=True),
        record("B", outcome="x", opponent="hard"),
        record("C", BOB, outcome="x"),
        record("D"),
        record("E", outcome="draw"),
    )
    assert score(database) == Score(0, 1, 0)
    assert score(database, opponent="hard") == Score(1, 0, 0)
    assert score(database, BOB) == Score(1, 0, 0)
    assert score(database, opponent="medium") == Score(0, 0, 0)


# --- players ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponent,mark,last",
    list(product(["easy", "friend"], ["x", "o", "alternate"], [None, "x", "o"])),
)
def test_what_a_player_prefers_comes_back(
    database: Database, opponent: str, mark: str, last: str | None
) -> None:
    preferred = Preferences(opponent, mark, last)
    store(database, record("A"))
    with database.write() as connection:
        players.save(connection, ALICE, Preferences("hard", "o", "o"), 1)
        players.save(connection, ALICE, preferred, 2)
    with database.read() as connection:
        assert players.preferences(connection, ALICE) == preferred
        assert players.preferences(connection, BOB) == Preferences()
        pair = games.for_player(connection, "A", ALICE)
        assert pair == (record("A"), preferred)
        pair = games.for_player(connection, "A", BOB)
        assert pair == (record("A"), Preferences())


def test_a_newcomer_is_offered_medium_and_x() -> None:
    assert Preferences() == Preferences(opponent="medium", mark="x", last_mark=None)
