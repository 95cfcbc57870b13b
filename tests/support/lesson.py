"""A lesson as the contract promises it: people, games and records, in the plainest way.

Imports nothing of the application on purpose. What a form says is a dictionary of those fields
that it has. A question comes first (the status of the refusal, 0 for none), and then the deed,
which changes the model.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.support import rules

FRIEND, CLASSMATE = "friend", "classmate"
LISTED = ("easy", "medium", "hard", "corners")
"""The opponents of the standings; there are more like the last."""
OPPONENTS = (*LISTED, "rules:win,block", FRIEND)

CLAIM_AFTER, FRESH = 60, 15 * 60
MOMENTS = (60, 120, 600)

Fields: TypeAlias = Mapping[str, Any]
Reply: TypeAlias = Callable[["Game"], int]
"""Says which cell the engine has taken; the model knows only which ones it may take."""

_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "opponent": OPPONENTS.__contains__,
    "mark": ("x", "o", "alternate").__contains__,
    "cell": range(9).__contains__,
    "version": lambda value: isinstance(value, int) and value >= 0,
    "moves": lambda value: set(value) <= set("012345678"),
}
_NEEDED = {"moves": ("cell", "version"), "again": ()}


@dataclass(eq=False)
class Person:
    """A player: anyone who sends this cookie.

    :param known: whether they have done something that is remembered, and so have a name
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

    def seats(self, opponent: str, mark: str) -> tuple[Person | None, Person | None]:
        """Who has X and who has O in a game of theirs; an engine is nobody."""
        if opponent == FRIEND:
            return self, self
        if mark == "alternate":
            mark = "o" if self.last_mark == "x" else "x"
        return (self, None) if mark == "x" else (None, self)


@dataclass(eq=False)
class Game:
    """A stored game.

    :param given: how many moves were there when it began
    """

    opponent: str
    x: Person | None
    o: Person | None
    changed_at: int
    moves: list[int] = field(default_factory=list)
    id: str = ""
    version: int = 1
    given: int = 0
    assisted: bool = False
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
        return None if self.live or self.outcome or left < self.given else self.moves[:left]

    @property
    def rated(self) -> bool:
        """Whether its end is noted: between two people once both have moved."""
        if self.live:
            return len(self.moves) >= 2
        return bool(self.engine) and not self.assisted and self.outcome != "left"

    @property
    def forfeits(self) -> bool:
        """Whether leaving it loses it."""
        mine = self.moves[0 if self.engine == "O" else 1 :: 2]
        return bool(self.engine) and self.rated and not self.outcome and len(mine) >= 2


class Lesson:
    """Everybody and everything on one server."""

    def __init__(self) -> None:
        self.people: list[Person] = []
        self.games: list[Game] = []
        self.keys: dict[tuple[Person, str], Game] = {}
        self.results: dict[tuple[str, str], str] = defaultdict(str)
        self.now = 0

    # --- beginning ----------------------------------------------------------------------------

    def refuses_start(self, person: Person, fields: Fields) -> int:
        moves = fields.get("moves", "")
        if not _valid(fields, () if moves else ("opponent", "mark")):
            return 422
        if (person, fields.get("key")) in self.keys:
            return 0
        board = rules.EMPTY
        for given in map(int, moves):
            if rules.outcome(board) or board[given] != ".":
                return 422
            board = rules.put(board, given)
        cell = fields.get("cell")
        if rules.outcome(board) or (
            cell is not None and self._new(person, fields).engine == rules.to_move(board)
        ):
            return 422
        return 409 if cell is not None and board[cell] != "." else 0

    def start(self, person: Person, fields: Fields, reply: Reply) -> Game | None:
        """Begin a game; where nobody has moved yet there is none, but the settings are kept."""
        key = person, fields.get("key", "")
        if key in self.keys:
            return self.keys[key]
        game = self._new(person, fields)
        if "cell" in fields:
            self._put(game, fields["cell"])
        if not game.given:
            if game.moves or game.engine == "X":
                for other in self.games:
                    if other.of(person) and other.opponent == game.opponent and other.forfeits:
                        self._leave(other)
            if not self._begins(game, person, fields):
                return None
        self._store(game, reply)
        if key[1]:
            self.keys[key] = game
        return game

    def _new(self, person: Person, fields: Fields) -> Game:
        given = list(map(int, fields.get("moves", "")))
        opponent, mark = fields.get("opponent"), fields.get("mark")
        if given:
            opponent = opponent or "medium"
            mark = mark or rules.to_move(rules.after(given)).lower()
        opponent = opponent or person.opponent
        seats = person.seats(opponent, mark or person.mark)
        return Game(opponent, *seats, self.now, moves=given, given=len(given), assisted=bool(given))

    def _begins(self, game: Game, person: Person, fields: Fields) -> bool:
        """Keep the settings, and tell whether the game has a first mark already."""
        person.known = True
        person.opponent = fields.get("opponent", person.opponent)
        person.mark = fields.get("mark", person.mark)
        if not game.moves and game.engine != "X":
            return False
        if game.engine:
            person.last_mark = game.mark_of(person)
        return True

    def _store(self, game: Game, reply: Reply) -> None:
        self.games.append(game)
        self._reply(game, reply)

    # --- a form about a game --------------------------------------------------------------------

    def refuses(self, what: str, game: Game, person: Person, fields: Fields) -> int:
        """The status with which a form about a game is refused."""
        needed = _NEEDED.get(what, ("version",))
        read = needed or ("opponent", "mark")
        if game not in self.games:
            return 404
        if not _valid({name: fields[name] for name in read if name in fields}, needed):
            return 422
        if not game.of(person):
            return 403
        if "version" in needed and fields["version"] != game.version:
            return 409
        return 0 if self._may(what, game, person, fields.get("cell", 0)) else 409

    def _may(self, what: str, game: Game, person: Person, cell: int = 0) -> bool:
        """Whether a game as it stands allows its player something."""
        if what == "moves":
            return game.turn_of(person) and game.board[cell] == "."
        if what == "undo":
            return game.undone is not None
        if what == "hint":
            return bool(game.engine) and game.going
        if what == "resign":
            return game.live and not game.outcome
        if what == "claim":
            late = self.now - game.changed_at >= CLAIM_AFTER
            return game.live and game.going and not game.turn_of(person) and late
        return not game.live or bool(game.outcome)

    def buttons(self, game: Game, person: Person) -> set[str]:
        """What is to be pressed beside the board."""
        asked = game.live and game.rematch == game.mark_of(person) and not game.following
        offered = ("undo", "hint", "resign", "claim", *(() if asked else ("again",)))
        return {what for what in offered if game.of(person) and self._may(what, game, person)}

    def does(
        self, what: str, game: Game, person: Person, fields: Fields, reply: Reply
    ) -> Game | None:
        """Change a game, and return the one that is shown then; ``None`` is the front page."""
        if what == "again":
            return self._again(game, person, fields, reply)
        if game.open:
            self.games.remove(game)  # a challenge is withdrawn
            return None
        self._changed(game)
        game.hinted = what == "hint"
        game.assisted |= what in ("hint", "undo")
        if what == "moves":
            self._put(game, fields["cell"])
            self._reply(game, reply)
        elif what == "undo":
            game.moves = game.undone or []
        elif what == "resign":
            self._finish(game, "o" if game.x is person else "x", "resign")
        elif what == "claim":
            self._finish(game, game.mark_of(person), "claim")
        return game

    def _again(self, game: Game, person: Person, fields: Fields, reply: Reply) -> Game | None:
        if game.following:
            return game.following
        if game.live:
            return self._rematch(game, person)
        new = self._new(person, fields)
        begins = self._begins(new, person, fields)
        if not game.outcome:
            self._leave(game)
        elif begins:
            self._changed(game)
        if not begins:
            return None
        game.following = new
        self._store(new, reply)
        return new

    def _rematch(self, game: Game, person: Person) -> Game:
        mark = game.mark_of(person)
        if game.rematch == mark:
            return game
        self._changed(game)
        if game.rematch is None:
            game.rematch = mark
            return game
        game.following = Game(CLASSMATE, game.o, game.x, self.now)
        self.games.append(game.following)
        return game.following

    def _changed(self, game: Game) -> None:
        game.version += 1
        game.changed_at = self.now

    def _put(self, game: Game, cell: int) -> None:
        assert not rules.outcome(game.board)
        game.moves.append(cell)
        if outcome := rules.outcome(game.board):
            self._finish(game, outcome)

    def _reply(self, game: Game, reply: Reply) -> None:
        if game.outcome or game.engine != rules.to_move(game.board):
            return
        cell = reply(game)
        allowed = _replies(game.opponent, game.board)
        assert cell in allowed, f"{game.opponent} took {cell} of {game.board}, not of {allowed}"
        self._put(game, cell)

    def _leave(self, game: Game) -> None:
        self._changed(game)
        game.hinted = False
        self._finish(game, game.engine.lower() if game.forfeits else "left", "left")

    def _finish(self, game: Game, outcome: str, ending: str | None = None) -> None:
        game.outcome, game.ending = outcome, ending
        for mark, person, other in (("x", game.x, game.o), ("o", game.o, game.x)):
            if person and game.rated:
                opponent = other.digest if other else game.opponent
                result = "d" if outcome == "draw" else "w" if outcome == mark else "l"
                self.results[person.digest, opponent] += result

    # --- two people ---------------------------------------------------------------------------

    def challenge(self, person: Person, x: bool) -> Game:
        """Open a game for a classmate; an older challenge goes.

        :param x: whether the challenger has X
        """
        self._withdraw(person)
        game = Game(CLASSMATE, person if x else None, None if x else person, self.now)
        self.games.append(game)
        person.known = True
        return game

    def _withdraw(self, person: Person) -> None:
        """A player has one challenge, and none after finding an opponent."""
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

    def unchanged(self, game: Game, since: int, phase: int) -> bool:
        """Whether a page that shows this version, in this phase, has missed nothing."""
        passed = self.now - game.changed_at
        now = sum(passed >= moment for moment in MOMENTS) if game.live else 0
        # A page keeps what it was told, also where the clock now says less.
        return since == game.version and now <= phase and not (game.live and game.following)

    # --- people -------------------------------------------------------------------------------

    def forget(self, person: Person) -> None:
        self.games = [game for game in self.games if not game.of(person)]
        self.keys = {key: game for key, game in self.keys.items() if key[0] is not person}
        for pair in [pair for pair in self.results if person.digest in pair]:
            del self.results[pair]
        person.__dict__.update(vars(Person(person.cookie)))

    def another_has(self, name: str, person: Person) -> bool:
        """Whether another player has this name."""
        others = [one.name or "" for one in self.people if one is not person]
        return name.casefold() in map(str.casefold, others)

    # --- what follows from it -----------------------------------------------------------------

    def score(self, person: Person, opponent: str) -> tuple[int, int, int]:
        """Won, drawn and lost against an engine or a player."""
        found = self.results.get((person.digest, opponent), "")
        return found.count("w"), found.count("d"), found.count("l")

    def score_beside(self, game: Game, person: Person) -> tuple[int, int, int] | None:
        """The score that a game shows; ``None`` where none is kept."""
        if game.opponent == FRIEND or game.open or not game.of(person):
            return None
        other = game.o if game.x is person else game.x
        return self.score(person, other.digest if other else game.opponent)

    def record(self, pair: tuple[str, str]) -> tuple[str, int, int, int, int, int]:
        """The last five results, won, drawn, lost, and the present and the best run."""
        found = self.results[pair]
        runs = [len(run) for run in found.replace("l", "d").split("d")]
        won, drawn, lost = found.count("w"), found.count("d"), found.count("l")
        return found[-5:], won, drawn, lost, runs[-1], max(runs)


def _valid(fields: Fields, needed: tuple[str, ...]) -> bool:
    allowed = (_ALLOWED[name](value) for name, value in fields.items() if name in _ALLOWED)
    return all(name in fields for name in needed) and all(allowed)


def _replies(opponent: str, board: str) -> list[int]:
    """The cells that an engine may take."""
    mark = rules.to_move(board)
    wins, blocks = rules.completions(board, mark), rules.completions(board, rules.other(mark))
    if opponent in ("medium", "rules:win,block") and (wins or blocks):
        return list(wins or blocks)
    if opponent == "hard":
        worth = {cell: -rules.value(rules.put(board, cell))[0] for cell in rules.free(board)}
        return [cell for cell, value in worth.items() if value == max(worth.values())]
    return rules.free(board)
