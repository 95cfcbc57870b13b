"""Functions that remember: what they kept from earlier calls is found, in whatever form.

Each plays well or badly by something other than the board. None may be called exact.
"""

import re
from itertools import combinations

import pytest

from tests.programs.conftest import Write, known
from tests.support.patience import PATIENCE
from webapp.programs import rehearsal
from webapp.programs.minds import told

LINES = "((0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6))"
HEAD = f"""\
import functools, itertools, random

def free(board):
    return [cell for cell in range(9) if board[cell] == "."]

@functools.cache
def value(board, mark):
    other = "O" if mark == "X" else "X"
    if any(board[a] == board[b] == board[c] == other for a, b, c in {LINES}):
        return -1
    return max((-value(after(board, mark, c), other) for c in free(board)), default=0)

def after(board, mark, cell):
    return board[:cell] + mark + board[cell + 1:]

def good(board, mark):
    other = "O" if mark == "X" else "X"
    return min(free(board), key=lambda c: value(after(board, mark, c), other))

def bad(board, mark):
    return free(board)[-1]

def first(board, mark):
    return board.count(mark) == 0
"""

# A mood for a whole game: at first, when it is drawn, and from what.
MOOD = """
mood = {}
def best(board, mark):
    global mood
    if {}: mood = {}
    return mood(board, mark)
"""
START = "first(board, mark)"
AS_O = "board.count('.') == 8"
AS_X = "board == '.' * 9"
ONE_IN_TEN = "bad if random.randrange(10) == 5 else good"
MOODS = {
    # Which mood: the first, the last and the one before any draw may all be alike.
    "a module variable": ("good", START, "random.choice([good, bad])"),
    "good at both ends": ("good", START, "random.choice([good, bad, good])"),
    "bad at both ends": ("bad", START, "random.choice([bad, good, bad])"),
    "one game in ten": ("good", START, ONE_IN_TEN),
    "one game in a hundred": ("good", START, "bad if random.randint(1, 100) == 42 else good"),
    "at the second move": ("good", "board.count(mark) == 1", "random.choice([good, bad, good])"),
    "for O only": ("good", AS_O, ONE_IN_TEN),
}
# Moods that follow each other.
TURNS = """
turns = {}
def best(board, mark):
    return next(turns)(board, mark)
"""
FOLLOWING = {
    "a cycle": "itertools.cycle([good, bad])",
    "a long cycle": "itertools.cycle([good] * 6 + [bad])",
    "every fourth": "map(lambda n: bad if n % 4 == 3 else good, itertools.count())",
    "a generator": "(mood for _ in itertools.count() for mood in (good, good, bad))",
}
# What is counted, and when that makes it play badly.
COUNT = """
n = 0
def best(board, mark):
    global n
    n += {}
    return (bad if {} else good)(board, mark)
"""
COUNTING = {
    "even and odd": ("1", "n % 2 == 0"),
    "every hundredth": ("1", "n % 100 == 74"),
    "every third game as X": (AS_X, "n % 3 == 2"),
    "every tenth game as X": (AS_X, "n % 10 == 7"),
    "every fifth game as O": (AS_O, "n % 5 == 4"),
    "tired after some moves": ("1", "n > 60"),
    "asleep at first": ("1", "n < 4"),
}
# What is kept from the call before: at first, then, and when that makes it play badly.
BEFORE = """
last = {}
def best(board, mark):
    global last
    was, last = last, {}
    return (bad if {} else good)(board, mark)
"""
KEEPING = {
    "the ply before": ("0", "9 - board.count('.')", "last > was"),
    "the board before": ("'.' * 9", "board", "sum(a != b for a, b in zip(was, board)) == 2"),
    "the mark before": ("'X'", "mark", "was != mark"),
    "the opponent's opening": (
        "'.' * 9",
        "board if board.count('.') >= 8 else last",
        "last[0] != '.'",
    ),
    "a coin at each move that stays": ("good", "random.choice([good, bad, good])", "was is bad"),
    "boards that it has seen": ("frozenset()", "last | {board}", "board not in was"),
}
KEPT = {
    "a module variable, unset at first": """
def best(board, mark):
    global mood
    if first(board, mark): mood = random.choice([good, bad])
    return mood(board, mark) if "mood" in globals() else good(board, mark)
""",
    "a list": """
mood = [good]
def best(board, mark):
    if first(board, mark): mood[0] = random.choice([bad, good])
    return mood[0](board, mark)
""",
    "a dictionary": """
state = {"mood": good}
def best(board, mark):
    if first(board, mark): state.update(mood=random.choice((bad, good)))
    return state["mood"](board, mark)
""",
    "a class attribute": """
class Player:
    mood = staticmethod(good)
def best(board, mark):
    if first(board, mark): Player.mood = staticmethod(random.choice([good, bad]))
    return Player.mood(board, mark)
""",
    "an object": """
class Player:
    def __init__(self): self.mood = good
    def play(self, board, mark):
        if first(board, mark): self.mood = random.choice([bad, good])
        return self.mood(board, mark)
best = Player().play
""",
    "a function attribute": """
def best(board, mark):
    if first(board, mark): best.mood = random.choice([good, bad])
    return best.mood(board, mark)
best.mood = good
""",
    "a closure": """
def make():
    mood = good
    def play(board, mark):
        nonlocal mood
        if first(board, mark): mood = random.choice([good, bad])
        return mood(board, mark)
    return play
best = make()
""",
    "a default argument": """
def best(board, mark, mood=[good]):
    if first(board, mark): mood[:] = [random.choice([good, bad])]
    return mood[0](board, mark)
""",
    "one game in ten, and chance besides": """
silly = False
def best(board, mark):
    global silly
    if first(board, mark): silly = random.randrange(10) == 5
    if silly: return random.choice(free(board))
    best_value = value(after(board, mark, good(board, mark)), "OX"[mark == "O"])
    return random.choice([c for c in free(board)
        if value(after(board, mark, c), "OX"[mark == "O"]) == best_value])
""",
    "drawn for X only": """
mood = good
def best(board, mark):
    global mood
    if board == "." * 9: mood = random.choice([good, bad, good])
    return mood(board, mark) if mark == "X" else good(board, mark)
""",
    "shuffled for the game": """
order = list(range(5))
def best(board, mark):
    global order
    if first(board, mark): order = random.sample(range(5), 5)
    return next((c for c in order if board[c] == "."), good(board, mark))
""",
    "a new game where there are fewer marks": """
mood, last = good, 9
def best(board, mark):
    global mood, last
    if 9 - board.count(".") < last: mood = random.choice([good, bad, good])
    last = 9 - board.count(".")
    return mood(board, mark)
""",
    "only weights differ": """
mood = 1
def best(board, mark):
    global mood
    if first(board, mark):
        mood = random.choice([1, 5, 1])
        return 4 if board[4] == "." else 0
    return {cell: mood if cell > 4 else 1 for cell in free(board)}
""",
    "turn about": """
turn = False
def best(board, mark):
    global turn
    turn = not turn
    return (good if turn else bad)(board, mark)
""",
    "a list that grows": """
seen = []
def best(board, mark):
    seen.append(board)
    return (bad if len(seen) % 3 == 2 else good)(board, mark)
""",
    "a first move that changes": """
games = 0
def best(board, mark):
    global games
    games += board == "." * 9
    return games % 3 * 4 if board == "." * 9 else good(board, mark)
""",
    "my last cell": """
last = None
def best(board, mark):
    global last
    if last is not None and board[last] == mark and board[8 - last] == ".": return 8 - last
    last = good(board, mark)
    return last
""",
    "a plan for the game": """
plan = []
def best(board, mark):
    if first(board, mark): plan[:] = [0, 8, 4] if board[0] == "." else [2, 6, 4]
    while plan and board[plan[0]] != ".": plan.pop(0)
    return plan.pop(0) if plan else good(board, mark)
""",
    "lost games": """
lost = set()
path = []
def best(board, mark):
    global path
    if first(board, mark):
        lost.update(path[-1:])
        path = []
    cells = [c for c in free(board) if (board, c) not in lost] or free(board)
    path.append((board, cells[0]))
    return cells[0]
""",
    "boards that it has seen twice": """
seen = {}
def best(board, mark):
    seen[board] = seen.get(board, 0) + 1
    return (bad if seen[board] > 2 else good)(board, mark)
""",
}
REMEMBERS = {
    **{name: MOOD.format(*drawn) for name, drawn in MOODS.items()},
    **{name: TURNS.format(turns) for name, turns in FOLLOWING.items()},
    **{name: COUNT.format(*counted) for name, counted in COUNTING.items()},
    **{name: BEFORE.format(*kept) for name, kept in KEEPING.items()},
    **KEPT,
}


@pytest.fixture(autouse=True)
def time_for_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games are played, however busy the computer is."""
    monkeypatch.setattr(rehearsal, "SECONDS", PATIENCE)


@pytest.mark.parametrize("name", REMEMBERS)
def test_what_is_kept_from_earlier_calls_is_found(write: Write, name: str) -> None:
    found = known(write(HEAD + REMEMBERS[name]))
    assert found.doubt, "nothing is doubted"
    assert "earlier" in told(found.doubt) or "same draws" in told(found.doubt)


AT_LOAD = {
    "the day": ("from datetime import date\nLUCKY = date.today().day % 2", r"date\.today"),
    "the moment": ("import datetime\nLUCKY = datetime.datetime.now().hour > 12", r"datetime\.now"),
    "the hour": ("import time\nLUCKY = time.localtime().tm_hour > 12", r"time\.localtime"),
    "the hour in words": ("import time\nLUCKY = time.strftime('%H') > '12'", r"time\.strftime"),
    "seconds": ("import time\nLUCKY = int(time.time()) % 2", r"time\.time"),
    "the process": ("import os\nLUCKY = os.getpid() % 2", r"os\.getpid"),
}


@pytest.mark.parametrize("name", AT_LOAD)
def test_what_is_read_from_outside_while_the_file_loads_is_found(write: Write, name: str) -> None:
    source, what = AT_LOAD[name]
    found = known(write(f"{source}\ndef best(board, mark):\n    return board.index('.')\n"))
    assert found.doubt
    assert re.search(
        rf"reads {what} while its file is loaded \(mine\.py, line 2", told(found.doubt)
    )


def test_modules_that_read_the_clock_for_themselves_are_no_reason_to_doubt(write: Write) -> None:
    modules = "asyncio, datetime, json, logging, pathlib, sqlite3, tempfile, threading, uuid"
    found = known(write(f"import {modules}\ndef best(board, mark):\n    return board.index('.')\n"))
    assert found.doubt is None


PAIRS = [*combinations(("win", "block", "fork", "centre", "corner", "edge"), 2)]


@pytest.mark.parametrize("words", PAIRS, ids=" ".join)
def test_the_order_of_a_set_of_words_is_found(write: Write, words: tuple[str, str]) -> None:
    source = """
def best(board, mark):
    return (good if list({one, other})[0] == one else bad)(board, mark)
"""
    found = known(write("{}\none, other = {!r}, {!r}{}".format(HEAD, *words, source)))
    assert found.doubt, "nothing is doubted"
    assert "on the start" in told(found.doubt)
