"""Whatever two people send, in whatever order: the site and a simple model of it never disagree."""

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from tests.support import rules
from tests.support.page import Page
from tests.support.visitor import Site

OPPONENTS = ("easy", "medium", "hard", "friend")
PEOPLE = st.integers(0, 1)
WAYS = st.booleans()


@dataclass
class Played:
    """What the model knows of a game."""

    address: str
    owner: int
    opponent: str
    mark: str
    moves: list[int] = field(default_factory=list)
    version: int = 1
    following: str = ""
    helped: bool = False
    left: bool = False

    @property
    def board(self) -> str:
        return rules.after(self.moves)

    @property
    def engine(self) -> str:
        return "" if self.opponent == "friend" else rules.other(self.mark.upper())

    @property
    def outcome(self) -> str:
        return self.engine.lower() if self.left else rules.outcome(self.board)

    @property
    def leaving_loses(self) -> bool:
        mine = self.moves[0 if self.engine == "O" else 1 :: 2]
        return bool(self.engine) and not self.outcome and not self.helped and len(mine) >= 2

    def leave(self) -> None:
        """Begin another game instead."""
        if self.leaving_loses:
            self.left = True
            self.version += 1

    def with_move(self, cell: int, page: Page) -> None:
        """Play a cell; the engine's reply is read from the page, and must be a legal one."""
        self.moves.append(cell)
        self.with_reply(page)

    def with_reply(self, page: Page) -> None:
        if self.engine and not self.outcome and rules.to_move(self.board) == self.engine:
            new = [cell for cell in rules.free(self.board) if page.board[cell] != "."]
            assert len(new) == 1
            self.moves += new

    def undone(self) -> list[int] | None:
        """The moves after an undo, or ``None`` where there is nothing to take back."""
        plies = 2 if self.engine else 1
        if self.outcome or len(self.moves) < plies:
            return None
        return self.moves[:-plies]

    def check(self, page: Page) -> None:
        """Hold a page against the model."""
        assert page.board == self.board
        assert page.version == self.version
        assert page.outcome == self.outcome
        assert len(page.moves) == len(self.moves)
        if page.watching:
            return
        assert page.playable == ([] if self.outcome else rules.free(self.board))
        assert ("Undo" in page.buttons) is (self.undone() is not None)
        assert ("Hint" in page.buttons) is (bool(self.engine) and not self.outcome)
        leaving = "New game, this one lost" if self.leaving_loses else "New game"
        assert ("Play again" if self.outcome else leaving) in page.buttons


class TwoPeople(RuleBasedStateMachine):
    """Two people who send each other's addresses around."""

    visited: Site

    def __init__(self) -> None:
        super().__init__()
        self.people = [self.visited.visitor(), self.visited.visitor()]
        for person in self.people:
            person.get("/")
        self.games: list[Played] = []
        self.wishes = [("medium", "x"), ("medium", "x")]
        self.keys: dict[tuple[int, str], Played] = {}

    # --- what they do -------------------------------------------------------------------------

    @rule(
        who=PEOPLE,
        opponent=st.sampled_from([*OPPONENTS, "nobody", ""]),
        mark=st.sampled_from(["x", "o", "X"]),
        cell=st.none() | st.integers(-1, 9),
        key=st.none() | st.sampled_from(["k", "l"]),
        htmx=WAYS,
    )
    def start(
        self, *, who: int, opponent: str, mark: str, cell: int | None, key: str | None, htmx: bool
    ) -> None:
        fields = {"opponent": opponent, "mark": mark, "cell": cell, "key": key}
        sent = {name: value for name, value in fields.items() if value is not None}
        answer = self.people[who].post("/games", sent, fragment=htmx)
        valid = opponent in OPPONENTS and mark in ("x", "o") and cell in (None, *range(9))
        known = self.keys.get((who, key)) if key else None
        begins = opponent != "friend" and mark == "o"
        if not valid or (begins and cell is not None and not known):
            assert answer.status == 422
            assert answer.board == rules.EMPTY
            return
        page = self.accepted(who, answer, htmx)
        if known:
            assert page.address == known.address
            known.check(page)
            return
        for other in self.games:
            if (other.owner, other.opponent) == (who, opponent):
                other.leave()
        game = self.new(page, who, opponent, mark)
        if cell is not None:
            game.with_move(cell, page)
        else:
            game.with_reply(page)
        game.check(page)
        if key:
            self.keys[who, key] = game

    @precondition(lambda self: self.games)
    @rule(
        who=PEOPLE,
        which=st.integers(0, 99),
        what=st.sampled_from(["moves", "moves", "moves", "undo", "hint"]),
        cell=st.sampled_from([*range(9), 9, None]),
        version=st.sampled_from([*["now"] * 8, "before", "after", "", "x"]),
        htmx=WAYS,
    )
    def act(
        self, *, who: int, which: int, what: str, cell: int | None, version: str, htmx: bool
    ) -> None:
        game = self.games[-1 - which % len(self.games)]
        numbers = {"now": game.version, "before": game.version - 1, "after": game.version + 1}
        fields: dict[str, object] = {"version": numbers.get(version, version)}
        if what == "moves" and cell is not None:
            fields["cell"] = cell
        answer = self.people[who].post(f"{game.address}/{what}", fields, fragment=htmx)
        expected = self.refusal(game, who, what, fields)
        if expected:
            assert answer.status == expected
            assert answer.refusal
            assert answer.watching is (who != game.owner)
            game.check(answer)
            return
        page = self.accepted(who, answer, htmx)
        game.version += 1
        game.helped |= what in ("undo", "hint")
        if what == "moves":
            assert cell is not None
            game.with_move(cell, page)
        if what == "undo":
            game.moves = game.undone() or []
        game.check(page)
        assert len(page.hinted) == (what == "hint")

    def refusal(self, game: Played, who: int, what: str, fields: dict[str, object]) -> int:
        """The status with which the site must refuse, or 0."""
        if who != game.owner:
            return 403
        if not isinstance(fields["version"], int) or fields.get("cell", 0) not in range(9):
            return 422
        if what == "moves" and "cell" not in fields:
            return 422
        impossible = {
            "moves": bool(game.outcome) or fields.get("cell") not in rules.free(game.board),
            "undo": game.undone() is None,
            "hint": bool(game.outcome) or not game.engine,
        }
        return 409 if fields["version"] != game.version or impossible[what] else 0

    @precondition(lambda self: self.games)
    @rule(who=PEOPLE, which=st.integers(0, 99), htmx=WAYS)
    def again(self, who: int, which: int, htmx: bool) -> None:
        game = self.games[-1 - which % len(self.games)]
        answer = self.people[who].post(f"{game.address}/again", fragment=htmx)
        if who != game.owner:
            assert answer.status == 403
            game.check(answer)
            return
        page = self.accepted(who, answer, htmx)
        if game.following:
            assert page.address == game.following
            return
        game.leave()
        opponent, mark = self.wishes[who]
        following = self.new(page, who, opponent, mark)
        following.with_reply(page)
        following.check(page)
        game.following = following.address

    @precondition(lambda self: self.games)
    @rule(who=PEOPLE, which=st.integers(0, 99), htmx=WAYS)
    def look(self, who: int, which: int, htmx: bool) -> None:
        game = self.games[-1 - which % len(self.games)]
        page = self.people[who].get(game.address, fragment=htmx)
        assert page.status == 200
        assert page.watching is (who != game.owner)
        game.check(page)

    @rule(who=PEOPLE, htmx=WAYS)
    def go_home(self, who: int, htmx: bool) -> None:
        page = self.people[who].get("/", fragment=htmx)
        assert (page.status, page.board, page.version) == (200, rules.EMPTY, 0)
        waits = any(
            game.owner == who and game.moves and not game.outcome and not game.following
            for game in self.games
        )
        assert any(text.startswith("Continue") for text in page.links) is waits

    # --- what must hold -----------------------------------------------------------------------

    def accepted(self, who: int, answer: Page, htmx: bool) -> Page:
        if htmx:
            assert answer.status == 200
            assert answer.is_fragment
            return answer
        return self.people[who].follow(answer)

    def new(self, page: Page, who: int, opponent: str, mark: str) -> Played:
        assert page.address not in [game.address for game in self.games]
        self.wishes[who] = (opponent, mark)
        self.games.append(Played(page.address, who, opponent, mark))
        return self.games[-1]

    @invariant()
    def nobody_has_become_somebody_else(self) -> None:
        assert self.people[0].cookie() != self.people[1].cookie()


def test_random_requests_of_two_people_never_surprise_a_simple_model(site: Site) -> None:
    class TwoVisitors(TwoPeople):
        visited = site

    run(
        TwoVisitors,
        settings=settings(max_examples=15, stateful_step_count=30, deadline=None),
    )
