"""A lesson as the contract promises it: people, games and records, in the plainest way.

Imports nothing of the application on purpose. A question comes first (:meth:`Lesson.refuses_move`
and its like: the status of the refusal, 0 for none), and then the deed, which changes the model.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.support import rules

FRIEND, CLASSMATE = "friend", "classmate"
RECORDED = ("easy", "medium", "hard", "corners")
"""The opponents whose games count; there are more like the last."""
OWN = "rules:win,block"
"""A list of rules: one plays against it, and it is no part of the standings."""
OPPONENTS = (*RECORDED, OWN, FRIEND)
CHOICES = ("x", "o", "alternate")

CLAIM_AFTER, FRESH = 60, 15 * 60
MOMENTS = (60, 120, 600)

Wish: TypeAlias = tuple[str | None, str | None]
"""An opponent and a mark that accompany a request, ``None`` where they do not."""
NO_WISH: Wish = (None, None)
Reply: TypeAlias = Callable[["Game"], int]
"""Says which cell the engine has taken; the model knows only which ones it may take."""


@dataclass(eq=False)
class Person:
    """Somebody: whoever sends this cookie.

    :param known: whether they have done something that is remembered; only then have they a name
    """

    cookie: str
    opponent: str = "medium"
    mark: str = "x"
    last_mark: str | None = None
    known: bool = False
    name: str | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.cookie.encode()).hexdigest()

    def forgotten(self) -> None:
        self.opponent, self.mark, self.last_mark = "medium", "x", None
        self.known, self.name = False, None

    def seats(self, opponent: str, mark: str) -> tuple[Person | None, Person | None]:
        """Who has X and who has O in a game of theirs; an engine is nobody."""
        if opponent == FRIEND:
            return self, self
        if mark == "alternate":
            mark = "o" if self.last_mark == "x" else "x"
        return (self, None) if mark == "x" else (None, self)

    def wishing(self, wish: Wish) -> tuple[str, str]:
        """The opponent and the mark for the next game, after a request with this wish."""
        return wish[0] or self.opponent, wish[1] or self.mark


@dataclass(eq=False)
class Game:
    """A stored game.

    :param given: how many moves were there when it began
    """

    id: str
    opponent: str
    x: Person | None
    o: Person | None
    changed_at: int
    moves: list[int] = field(default_factory=list)
    version: int = 1
    given: int = 0
    helped: bool = False
    hinted: bool = False
    outcome: str = ""
    ending: str | None = None
    rematch: str | None = None
    following: Game | None = None
    code: str | None = None

    @property
    def board(self) -> str:
        return rules.after(self.moves)

    @property
    def live(self) -> bool:
        """Between two people at two devices."""
        return self.opponent == CLASSMATE

    @property
    def open(self) -> bool:
        return self.live and None in (self.x, self.o)

    @property
    def engine(self) -> str:
        """The mark that an engine plays; empty where people play both."""
        if self.opponent in (FRIEND, CLASSMATE):
            return ""
        return "X" if self.x is None else "O"

    @property
    def to_move(self) -> Person | None:
        return self.x if rules.to_move(self.board) == "X" else self.o

    @property
    def going(self) -> bool:
        return not self.outcome and not self.open

    def of(self, person: Person) -> bool:
        return person in (self.x, self.o)

    def turn_of(self, person: Person) -> bool:
        return self.going and self.to_move is person

    def mark_of(self, person: Person) -> str:
        return "x" if self.x is person else "o"

    @property
    def undone(self) -> list[int] | None:
        """The moves after an undo, ``None`` where there is nothing to take back."""
        left = len(self.moves) - (2 if self.engine else 1)
        if self.live or self.outcome or left < self.given:
            return None
        return self.moves[:left]

    @property
    def counts(self) -> bool:
        """Whether its end is noted: between two people once both have moved."""
        if self.live:
            return len(self.moves) >= 2
        return self.opponent in RECORDED and not self.helped

    @property
    def leaving_loses(self) -> bool:
        mine = self.moves[0 if self.engine == "O" else 1 :: 2]
        return bool(self.engine) and self.counts and not self.outcome and len(mine) >= 2


class Lesson:
    """Everybody and everything on one server."""

    def __init__(self) -> None:
        self.people: list[Person] = []
        self.games: list[Game] = []
        self.keys: dict[tuple[Person, str], Game] = {}
        self.results: dict[tuple[str, str], str] = defaultdict(str)
        self.now = 0

    # --- beginning ----------------------------------------------------------------------------

    def refuses_start(
        self, person: Person, wish: Wish, cell: int | None, key: str | None, moves: str
    ) -> int:
        if set(moves) - set("012345678") or not _valid(wish) or cell not in (None, *range(9)):
            return 422
        if not moves and None in wish:
            return 422
        if key and (person, key) in self.keys:
            return 0
        board = rules.EMPTY
        for given in map(int, moves):
            if rules.outcome(board) or board[given] != ".":
                return 422
            board = rules.put(board, given)
        if rules.outcome(board):
            return 422
        new = self._begun(person, wish, moves)
        if cell is not None and new.engine == rules.to_move(board):
            return 422
        return 409 if cell is not None and board[cell] != "." else 0

    def start(
        self,
        person: Person,
        wish: Wish,
        *,
        cell: int | None,
        key: str | None,
        moves: str,
        reply: Reply,
    ) -> Game:
        if key and (person, key) in self.keys:
            return self.keys[person, key]
        game = self._begun(person, wish, moves)
        if not moves:
            person.opponent, person.mark = person.wishing(wish)
            for other in [one for one in self.games if one.opponent == game.opponent]:
                if other.of(person):
                    self._leave(other)
        if cell is not None:
            self._put(game, cell)
        self._add(game, person, reply)
        if key:
            self.keys[person, key] = game
        return game

    def _begun(self, person: Person, wish: Wish, moves: str) -> Game:
        opponent, mark = person.wishing(wish)
        if moves:
            turn = rules.to_move(rules.after(map(int, moves))).lower()
            opponent, mark = wish[0] or "medium", wish[1] or turn
        x, o = person.seats(opponent, mark)
        given = list(map(int, moves))
        return Game("", opponent, x, o, self.now, moves=given, given=len(given), helped=bool(given))

    def _add(self, game: Game, person: Person, reply: Reply) -> None:
        """Store a new game of a person's against an engine or a friend."""
        self.games.append(game)
        self._reply(game, reply)
        if not game.given:
            person.known = True
            if game.moves:
                self._has_begun(game, person)

    # --- playing ------------------------------------------------------------------------------

    def refuses_act(self, game: Game, person: Person, version: object, wish: Wish) -> int:
        """The refusals that moves, undo and hint have in common, before they look at the board."""
        if game not in self.games:
            return 404
        if not game.of(person):
            return 403
        if not isinstance(version, int) or version < 0 or not _valid(wish):
            return 422
        return 409 if version != game.version else 0

    def refuses_move(
        self, game: Game, person: Person, cell: int | None, version: object, wish: Wish
    ) -> int:
        early = self.refuses_act(game, person, version, wish)
        if early in (404, 403) or cell not in range(9):
            return early if early in (404, 403) else 422
        if early:
            return early
        seen = self._redealt(game, person, wish)
        if game.live and not game.turn_of(person):
            return 409
        if game.outcome:
            return 409
        if seen.engine == rules.to_move(game.board):
            return 422
        return 0 if game.board[cell or 0] == "." else 409

    def refuses_undo(self, game: Game, person: Person, version: object, wish: Wish) -> int:
        early = self.refuses_act(game, person, version, wish)
        return early or (409 if game.undone is None else 0)

    def refuses_hint(self, game: Game, person: Person, version: object, wish: Wish) -> int:
        early = self.refuses_act(game, person, version, wish)
        if early or game.outcome:
            return early or 409
        seen = self._redealt(game, person, wish)
        if seen.engine == rules.to_move(game.board):
            return 422
        return 0 if seen.engine else 409

    def move(self, game: Game, person: Person, cell: int, wish: Wish, reply: Reply) -> None:
        first = not game.moves
        self._accept(game, person, wish)
        self._put(game, cell)
        self._reply(game, reply)
        game.hinted = False
        if first:
            self._has_begun(game, person)

    def undo(self, game: Game, person: Person, wish: Wish) -> None:
        moves = game.undone
        self._accept(game, person, wish)
        game.moves = moves or []
        game.hinted, game.helped = False, True

    def hint(self, game: Game, person: Person, wish: Wish) -> None:
        self._accept(game, person, wish)
        game.hinted = game.helped = True

    def _redealt(self, game: Game, person: Person, wish: Wish) -> Game:
        """The game as a wish makes it: on an empty board it applies at once."""
        seen = Game(game.id, game.opponent, game.x, game.o, 0)
        if game.moves or game.live or wish == NO_WISH:
            return seen
        before = self._shown_mark(game, person)
        opponent, mark = wish[0] or game.opponent, wish[1] or before
        seen.opponent = opponent
        if FRIEND in (game.opponent, opponent) or mark != before:
            seen.x, seen.o = person.seats(opponent, mark)
        return seen

    def _shown_mark(self, game: Game, person: Person) -> str:
        """The mark that the controls beside an empty board show."""
        if person.mark == "alternate" or game.opponent == FRIEND:
            return person.mark
        return game.mark_of(person)

    def _accept(self, game: Game, person: Person, wish: Wish) -> None:
        """Change a game as a wish says, and remember the wish."""
        before = person.opponent, person.mark
        if game.moves or game.live or wish == NO_WISH:
            person.opponent, person.mark = person.wishing(wish)
        else:
            mark = self._shown_mark(game, person)
            seen = self._redealt(game, person, wish)
            game.opponent, game.x, game.o = seen.opponent, seen.x, seen.o
            person.opponent, person.mark = seen.opponent, wish[1] or mark
        if before != (person.opponent, person.mark):
            person.known = True
        self._changed(game)

    def _changed(self, game: Game) -> None:
        game.version += 1
        game.changed_at = self.now

    def _has_begun(self, game: Game, person: Person) -> None:
        """With its first mark a game against an engine is the last one that was played."""
        if game.engine:
            if person.last_mark != game.mark_of(person):
                person.known = True
            person.last_mark = game.mark_of(person)

    def _put(self, game: Game, cell: int) -> None:
        assert not rules.outcome(game.board)
        rules.put(game.board, cell)
        game.moves.append(cell)
        if outcome := rules.outcome(game.board):
            self._finish(game, outcome)

    def _reply(self, game: Game, reply: Reply) -> None:
        if game.outcome or game.engine != rules.to_move(game.board):
            return
        cell = reply(game)
        allowed = _allowed(game.opponent, game.board)
        assert cell in allowed, f"{game.opponent} took {cell} of {game.board}, not of {allowed}"
        self._put(game, cell)

    def _finish(self, game: Game, outcome: str, ending: str | None = None) -> None:
        game.outcome, game.ending = outcome, ending
        if not game.counts:
            return
        for mark, person, other in (("x", game.x, game.o), ("o", game.o, game.x)):
            if person is None:
                continue
            opponent = other.digest if other else game.opponent
            result = "d" if outcome == "draw" else "w" if outcome == mark else "l"
            self.results[person.digest, opponent] += result

    def _leave(self, game: Game) -> None:
        if game.leaving_loses:
            self._changed(game)
            self._finish(game, game.engine.lower(), "left")

    # --- going on -----------------------------------------------------------------------------

    def refuses_again(self, game: Game, person: Person, wish: Wish) -> int:
        if game not in self.games:
            return 404
        if not game.of(person):
            return 403
        if game.live:
            return 0 if game.outcome else 409
        return 0 if _valid(wish) else 422

    def again(self, game: Game, person: Person, wish: Wish, reply: Reply) -> Game:
        if game.live:
            return self._rematch(game, person)
        wanted = person.wishing(wish)
        if wish != NO_WISH or game.following is None:
            person.opponent, person.mark = wanted
            person.known = True
        self._leave(game)
        if game.following is None:
            x, o = person.seats(*wanted)
            game.following = Game("", wanted[0], x, o, self.now)
            self._add(game.following, person, reply)
        return game.following

    def _rematch(self, game: Game, person: Person) -> Game:
        if game.following:
            return game.following
        mark = game.mark_of(person)
        if game.rematch is None:
            game.rematch = mark
            self._changed(game)
        elif game.rematch != mark:
            game.following = Game("", CLASSMATE, game.o, game.x, self.now)
            self.games.append(game.following)
            return game.following
        return game

    # --- two people ---------------------------------------------------------------------------

    def challenge(self, person: Person, x: bool) -> Game:
        """Open a game for a classmate; an older challenge goes.

        :param x: whether the challenger has X
        """
        self._withdraw(person)
        game = Game("", CLASSMATE, person if x else None, None if x else person, self.now)
        self.games.append(game)
        person.known = True
        return game

    def _withdraw(self, person: Person) -> None:
        """Whoever waits has one challenge, and who has found somebody none."""
        self.games = [one for one in self.games if not (one.open and one.of(person))]

    def refuses_join(self, game: Game, person: Person) -> int:
        if game not in self.games:
            return 404
        return 409 if game.of(person) is game.open else 0

    def join(self, game: Game, person: Person) -> None:
        if game.open:
            self._withdraw(person)
            game.x, game.o = game.x or person, game.o or person
            person.known = True
            self._changed(game)

    def refuses_duel(self, game: Game, person: Person, version: object, what: str) -> int:
        """The status with which resigning or claiming is refused."""
        early = self.refuses_act(game, person, version, NO_WISH)
        if early in (404, 403, 422):
            return early
        if early or not game.live or game.outcome:
            return 409
        if what == "claim":
            late = self.now - game.changed_at >= CLAIM_AFTER
            return 0 if game.going and not game.turn_of(person) and late else 409
        return 0

    def resign(self, game: Game, person: Person) -> None:
        if game.open:
            self.games.remove(game)
            return
        self._changed(game)
        self._finish(game, "o" if game.x is person else "x", "resign")

    def claim(self, game: Game, person: Person) -> None:
        self._changed(game)
        self._finish(game, game.mark_of(person), "claim")

    def unchanged(self, game: Game, since: int, phase: int) -> bool:
        """Whether one who has seen this version, in this phase, has missed nothing."""
        if game not in self.games or (game.live and game.following):
            return False
        # A page keeps what it was told, also where the clock now says less.
        return since == game.version and self.phase(game) <= phase

    def phase(self, game: Game) -> int:
        passed = self.now - game.changed_at
        return sum(passed >= moment for moment in MOMENTS) if game.live else 0

    # --- who one is ---------------------------------------------------------------------------

    def forget(self, person: Person) -> None:
        self.games = [game for game in self.games if not game.of(person)]
        self.keys = {key: game for key, game in self.keys.items() if key[0] is not person}
        for pair in [pair for pair in self.results if person.digest in pair]:
            del self.results[pair]
        person.forgotten()

    def somebody_else_has(self, name: str, person: Person) -> bool:
        return any(
            other.name is not None and other.name.casefold() == name.casefold()
            for other in self.people
            if other is not person
        )

    # --- what follows from it -----------------------------------------------------------------

    def score(self, game: Game, person: Person) -> tuple[int, int, int] | None:
        """Won, drawn and lost against the opponent of a game; ``None`` where none is kept."""
        if game.opponent == FRIEND or game.open or not game.of(person):
            return None
        if game.live:
            other = game.o if game.x is person else game.x
            found = self.results.get((person.digest, other.digest if other else ""), "")
            return found.count("w"), found.count("d"), found.count("l")
        results = [
            "d" if one.outcome == "draw" else "w" if one.outcome == one.mark_of(person) else "l"
            for one in self.games
            if one.opponent == game.opponent and one.of(person) and one.outcome and not one.helped
        ]
        return results.count("w"), results.count("d"), results.count("l")

    def record(self, pair: tuple[str, str]) -> tuple[str, int, int, int, int, int]:
        """The last five results, won, drawn, lost, and the present and the best run."""
        found = self.results[pair]
        runs = [len(run) for run in found.replace("l", "d").split("d")]
        won, drawn, lost = found.count("w"), found.count("d"), found.count("l")
        return found[-5:], won, drawn, lost, runs[-1], max(runs)

    def buttons(self, game: Game, person: Person) -> set[str]:
        """What one may press beside the board."""
        if not game.of(person):
            return set()
        if game.open:
            return {"resign"}
        if game.live and not game.outcome:
            away = not game.turn_of(person) and self.now - game.changed_at >= CLAIM_AFTER
            return {"resign", "claim"} if away else {"resign"}
        if game.outcome:
            asked = game.live and game.rematch == game.mark_of(person) and not game.following
            return set() if asked else {"again"}
        possible = {"hint": bool(game.engine), "undo": game.undone is not None, "again": True}
        return {name for name, may in possible.items() if may}


def _valid(wish: Wish) -> bool:
    return wish[0] in (None, *OPPONENTS) and wish[1] in (None, *CHOICES)


def _allowed(opponent: str, board: str) -> list[int]:
    """The cells that an engine may take."""
    mark = rules.to_move(board)
    wins, blocks = rules.completions(board, mark), rules.completions(board, rules.other(mark))
    if opponent in ("medium", OWN) and (wins or blocks):
        return list(wins or blocks)
    if opponent == "hard":
        best, _ = rules.value(board)
        return [
            cell for cell in rules.free(board) if -rules.value(rules.put(board, cell))[0] == best
        ]
    return rules.free(board)
