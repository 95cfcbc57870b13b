"""Somebody at the lab who never pauses: do other people's moves wait for that?

``python -m tests.bench.lab PORT SECONDS`` is that person, in a process of their own: as a thread
they would share an interpreter with the players, and hold up the clock that moves are measured by.
What the two clients do share with the server are the cores. Where two workers, the players and the
lab together want more than there are, a move waits for a core as well, and that wait counts: what
is measured is more than the lab alone costs, never less.

The process says that it is ready, begins when it is told to, stops by itself when its time is up,
and then prints what it got as JSON. Nobody has asked for a page of the lab before it does.
"""

from __future__ import annotations

import dataclasses
import json
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle

from tests.bench.client import Connection, encoded_get
from tests.bench.servers import ROOT, BenchError, Server
from webapp.core.game import Game
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, PREFIX

# As many as a browser keeps open. Any of them may be next, so that both workers meet the lab.
_CONNECTIONS = 6
# Where htmx swaps a part of the page for another.
_SWAPPED = ("rules", "experiment", "review")
# What one page may take, with everything that the server has to do besides, in seconds.
_PATIENCE = 40.0


@dataclass
class Visit:
    """What somebody got at the lab.

    :ivar pages: what was asked for, and how long the answer took, in seconds
    :ivar cpu: processor time of their process, in seconds
    """

    pages: list[tuple[str, float]] = field(default_factory=list)
    cpu: float = 0.0

    @property
    def seconds(self) -> list[float]:
        return [took for _, took in self.pages]

    def longest(self) -> dict[str, float]:
        """The longest that each kind of page took, the slowest kind first."""
        found: dict[str, float] = {}
        for kind, took in self.pages:
            found[kind] = max(took, found.get(kind, 0.0))
        return dict(sorted(found.items(), key=lambda item: -item[1]))


# --- from outside -------------------------------------------------------------------------------


class Visitor:
    """The process, as the benchmark sees it: ready, and not begun."""

    def __init__(self, process: subprocess.Popen[str], seconds: float) -> None:
        self._process, self._seconds = process, seconds

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def end(self) -> Visit:
        """Wait until the time is up; return what they got.

        :raises BenchError: if a page was refused or did not come
        """
        try:
            told, complaint = self._process.communicate(timeout=self._seconds + _PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise BenchError("The one at the lab did not come back.") from error
        if self._process.returncode:
            raise BenchError(f"At the lab: {complaint.strip()}")
        return Visit(**json.loads(told))


@contextmanager
def visitor(server: Server, seconds: float) -> Iterator[Visitor]:
    """Somebody who is connected, and from ``begin`` on at the lab for so many seconds."""
    command = [sys.executable, "-m", "tests.bench.lab", str(server.port), str(seconds)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise BenchError(f"Nobody came to the lab: {process.communicate()[1].strip()}")
            yield Visitor(process, seconds)
        finally:
            process.kill()


# --- from inside --------------------------------------------------------------------------------


class Questions:
    """Addresses of the lab, such that no answer can have been kept from an earlier question."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._asked: set[str] = set()
        self._seeds = count(1)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield kinds and addresses by turns, without an end."""
        kinds: dict[str, Callable[[], str]] = {
            "table": lambda: f"/lab?x={self._engine()}&o={self._engine()}",
            "rules": lambda: f"/lab/rules?list={self.new_list()}&from={self.new_list()}",
            "experiment": self._experiment,
            "review": self._review,
            "opponents": lambda: "/opponents",
            "opponent": lambda: f"/opponents/{self._known()}",
        }
        for kind in cycle(kinds):
            yield kind, kinds[kind]()

    def new_list(self) -> str:
        """A list that nobody has asked about. It never says `any`, which would cut it short."""
        rules = [slug for slug in LAB_RULES if slug != "any"]
        while True:
            chosen = ",".join(self._rng.sample(rules, self._rng.randint(5, len(rules))))
            if chosen not in self._asked:
                self._asked.add(chosen)
                return chosen

    def _known(self) -> str:
        return self._rng.choice(list(ENGINES))

    def _engine(self) -> str:
        """One that everybody knows, or as often one that nobody does."""
        return self._rng.choice((self._known(), PREFIX + self.new_list()))

    def _experiment(self) -> str:
        who = f"x={self._engine()}&o={self._engine()}"
        return f"/lab/experiment?{who}&games=10000&seed={next(self._seeds)}"

    def _review(self) -> str:
        game = Game()
        while game.board.legal_moves:
            game = game.play(self._rng.choice(game.board.legal_moves))
        at = self._rng.randrange(len(game.moves))
        return f"/review/{''.join(map(str, game.moves))}?values=1&at={at}"


def ask(server: Server, connections: Sequence[Connection], seconds: float) -> Visit:
    """Ask for page after page until the time is up."""
    found, cookie, rng = Visit(), secrets.token_urlsafe(32), random.Random(9)
    cpu, end = time.process_time(), time.perf_counter() + seconds
    for kind, path in Questions(rng):
        # A page is whole behind a link or a form, a part of one where htmx asks.
        part = kind in _SWAPPED and rng.random() < 0.5
        request = encoded_get(path, server, htmx=part, cookie=cookie)
        connection = rng.choice(connections)
        start = time.perf_counter()
        connection.send(request)
        connection.receive()
        now = time.perf_counter()
        found.pages.append((kind, now - start))
        if now > end:
            break
    found.cpu = time.process_time() - cpu
    return found


def main() -> int:
    port, seconds = int(sys.argv[1]), float(sys.argv[2])
    server = Server(port, ())
    try:
        with ExitStack() as stack:
            connections = [
                stack.enter_context(closing(Connection(server))) for _ in range(_CONNECTIONS)
            ]
            print("ready", flush=True)
            if not sys.stdin.readline():
                return 0  # whoever should have said "go" is gone
            print(json.dumps(dataclasses.asdict(ask(server, connections, seconds))))
    except (BenchError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1  # the benchmark itself says so
    return 0


if __name__ == "__main__":
    sys.exit(main())
