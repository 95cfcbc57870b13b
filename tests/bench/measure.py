"""The two measurements: how many moves one worker answers, and how long one move takes."""

from __future__ import annotations

import gc
import random
import selectors
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field

from tests.bench import lab
from tests.bench.client import Board, Connection, Player, encoded_get
from tests.bench.servers import BenchError, Server, machine_cpu_seconds

# Both play randomly enough that games differ, and neither ends every game at once.
_OPPONENTS = ("easy", "medium")
# Enough requests on their way that the server never waits for the client.
_CONNECTIONS = 8
# A game that ends at its first chance has taken three moves of the one who has X.
_SHORTEST = 3
# How long to wait for the last answers, in seconds.
_PATIENCE = 20.0


@dataclass
class Meter:
    """Adds up what passes while it runs, in seconds.

    :ivar client: processor time of this process
    :ivar cpu: processor time of the server
    :ivar others: processor time of everything else on the computer; it disturbs
    """

    server: Server
    wall: float = 0.0
    client: float = 0.0
    cpu: float = 0.0
    others: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        gc.collect()
        gc.disable()
        everything, cpu = machine_cpu_seconds(), self.server.cpu_seconds()
        client, wall = time.process_time(), time.perf_counter()
        try:
            yield
        finally:
            self.wall += time.perf_counter() - wall
            client, cpu = time.process_time() - client, self.server.cpu_seconds() - cpu
            self.client += client
            self.cpu += cpu
            self.others += machine_cpu_seconds() - everything - cpu - client
            gc.enable()


# --- how many -----------------------------------------------------------------------------------


class _BareLane:
    """A connection on which the bare route is asked again and again."""

    def __init__(self, server: Server, connection: Connection) -> None:
        self._connection = connection
        self._request = encoded_get("/", server)

    def send(self) -> None:
        self._connection.send(self._request)

    def take(self) -> int:
        return len(self._connection.receive()[1])


class _MoveLane:
    """A connection on which a player plays games that were started before."""

    def __init__(self, player: Player, moves: int) -> None:
        self._player = player
        self._boards = deque[Board]()
        while len(self._boards) * _SHORTEST < moves + 1:
            # The first as from the front page, one move made, so that the server knows the player.
            player.start(None if self._boards else player.rng.randrange(9))
            self._boards.append(player.board)
        player.board = self._boards.popleft()

    def send(self) -> None:
        if self._player.board.over:
            self._player.board = self._boards.popleft()
        self._player.send_move()

    def take(self) -> int:
        self._player.take_move(self._player.connection.receive())
        return self._player.bytes_received


Lane = _BareLane | _MoveLane


@dataclass
class Throughput:
    """One line of the comparison, filled round by round.

    :param beside: what it is compared with, if not with itself
    :param bare: whether it is the bare route, so no moves at all
    :param gzip: whether the client says that it reads compressed answers
    :ivar rates: requests a second, one figure a round
    """

    title: str
    server: Server
    beside: Throughput | None = None
    bare: bool = False
    gzip: bool = True
    rates: list[float] = field(default_factory=list)
    requests: int = 0
    bytes_received: int = 0
    meter: Meter = field(init=False)

    def __post_init__(self) -> None:
        self.meter = Meter(self.server)

    def round(self, requests: int, rng: random.Random) -> None:
        """Make so many requests on each connection, one on its way on each at any time."""
        with ExitStack() as stack:
            connections = [
                stack.enter_context(closing(Connection(self.server))) for _ in range(_CONNECTIONS)
            ]
            lanes = [self._lane(n, each, requests, rng) for n, each in enumerate(connections)]
            before = self.meter.wall
            with self.meter.running():
                received = _volleys(lanes, requests)
        made = requests * len(lanes)
        self.requests += made
        self.bytes_received += received
        self.rates.append(made / (self.meter.wall - before))

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    @property
    def cpu_per_request(self) -> float:
        """The server's processor time for one request, in seconds; 0 if not known."""
        return self.meter.cpu / self.requests

    @property
    def ratio(self) -> float:
        """How many requests a second for one of the other's: the median over the rounds."""
        other = self.beside or self
        return statistics.median(a / b for a, b in zip(self.rates, other.rates, strict=True))

    def _lane(self, n: int, connection: Connection, requests: int, rng: random.Random) -> Lane:
        if self.bare:
            return _BareLane(self.server, connection)
        # Players are new in each round, so that all have about as many games behind them.
        opponent = _OPPONENTS[n % len(_OPPONENTS)]
        return _MoveLane(Player(self.server, connection, rng, opponent, self.gzip), requests)


def _volleys(lanes: Sequence[Lane], requests: int) -> int:
    """Keep one request on its way on each lane; return the size of all answers together."""
    received = 0
    for lane in lanes:
        lane.send()
    for _ in range(requests - 1):
        for lane in lanes:
            received += lane.take()
            lane.send()
    return received + sum(lane.take() for lane in lanes)


def compare(
    lines: Sequence[Throughput], rounds: int, bare: int, moves: int, seconds: float
) -> None:
    """Fill these lines in short rounds by turns, so that whatever drifts meets them all alike.

    :param bare: requests to the bare route on each connection in a round
    :param moves: likewise moves
    :param seconds: after which no other round begins
    """
    rng = random.Random(9)
    end = time.monotonic() + seconds
    for warm_up in (True, *[False] * rounds):
        if lines[0].rates and time.monotonic() > end:
            break
        for line in lines:
            line.round(bare if line.bare else moves, rng)
            if warm_up:
                line.rates.clear()
                line.requests, line.bytes_received, line.meter = 0, 0, Meter(line.server)


# --- how long -----------------------------------------------------------------------------------


@dataclass
class Latency:
    """How long moves took.

    :ivar seconds: one figure a move, from the moment at which it was due
    :ivar lateness: how much later than due the client sent a move, where that was its own fault
    :ivar visit: what somebody at the lab got meanwhile, if somebody was
    :ivar memory: of the largest worker afterwards, in bytes
    """

    meter: Meter
    seconds: list[float] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)
    visit: lab.Visit | None = None
    memory: int = 0


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many percent do not exceed.

    >>> percentile([4, 1, 3, 2], 50), percentile([4, 1, 3, 2], 99)
    (2, 4)
    """
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(int(rank), 1) - 1]


def back_to_back(server: Server, moves: int) -> Latency:
    """Let one player move as soon as the answer is there."""
    found, rng = Latency(Meter(server)), random.Random(9)
    with players_at(server, 1, rng) as (player,), found.meter.running():
        while len(found.seconds) < moves:
            if player.board.over:
                player.again()
            due = time.perf_counter()
            player.send_move()
            player.take_move(player.connection.receive())
            found.seconds.append(time.perf_counter() - due)
    found.memory = server.memory()
    return found


def at_a_rate(
    server: Server, players: int, rate: float, seconds: float, *, beside_the_lab: bool = False
) -> Latency:
    """Let players move at random moments, so many moves a second in all, answered or not.

    A move is due at its moment even if the server, or the player's connection, is not ready: it
    waits, and the wait counts. A finished game is followed by the next at once; starting games is
    load besides, and no figure.

    :param beside_the_lab: whether somebody is at the lab meanwhile, who never pauses
    """
    found, rng = Latency(Meter(server)), random.Random(9)
    with ExitStack() as stack:
        everybody = stack.enter_context(players_at(server, players, rng))
        visitor = stack.enter_context(lab.visitor(server, seconds)) if beside_the_lab else None
        desks = [_Desk(player, found) for player in everybody]
        with found.meter.running():
            if visitor:
                visitor.begin()
            _play(desks, _moments(rng, rate, seconds), rng)
            if visitor:
                found.visit = visitor.end()
    found.memory = server.memory()
    if found.visit:  # this load is meant
        found.meter.others -= found.visit.cpu
    return found


@contextmanager
def players_at(server: Server, number: int, rng: random.Random) -> Iterator[list[Player]]:
    """Players with a connection and a cookie of their own, each in a game with one move."""
    with ExitStack() as stack:
        everybody = []
        for n in range(number):
            connection = stack.enter_context(closing(Connection(server)))
            player = Player(server, connection, rng, _OPPONENTS[n % len(_OPPONENTS)])
            player.start(rng.randrange(9))
            everybody.append(player)
        yield everybody


def _moments(rng: random.Random, rate: float, seconds: float) -> deque[float]:
    """When moves are due, in seconds from the start: so many a second, each at any moment."""
    moments = sorted(rng.uniform(0, seconds) for _ in range(round(rate * seconds)))
    return deque(moments)


@dataclass
class _Desk:
    """A player, the moves that are due, and what the connection is waiting for."""

    player: Player
    found: Latency
    due: deque[float] = field(default_factory=deque)
    sent_due: float | None = None
    take: Callable[[tuple[bytes, bytes]], None] | None = None

    def go_on(self) -> None:
        """Send what is next, if the connection is free."""
        if self.take is not None:
            return
        if self.player.board.over:
            self.player.send_again()
            self.take, self.sent_due = self.player.take_board, None
        elif self.due:
            self.sent_due = self.due.popleft()
            self.player.send_move()
            self.take = self.player.take_move

    def receive(self) -> None:
        """Read what has come, and go on when it is complete."""
        answer = self.player.connection.receive_some()
        if answer is None or self.take is None:
            return
        if self.sent_due is not None:
            self.found.seconds.append(time.perf_counter() - self.sent_due)
        self.take(answer)
        self.take = None
        self.go_on()


def _play(desks: Sequence[_Desk], moments: deque[float], rng: random.Random) -> None:
    """Let players move when it is due, and wait for every answer."""
    # Not the default: epoll counts whole milliseconds, and that is too coarse here.
    with selectors.SelectSelector() as selector:
        for desk in desks:
            selector.register(desk.player.connection.socket, selectors.EVENT_READ, desk)
        turn = _in_turn(desks, rng)
        start = time.perf_counter()
        end = start + moments[-1] + _PATIENCE
        while moments or any(desk.take for desk in desks):
            if time.perf_counter() > end:
                raise BenchError("The server is far too slow for so many moves a second.")
            pause = 1.0
            if moments:
                pause = start + moments[0] - time.perf_counter()
            if pause <= 0:
                desk = next(turn)
                desk.found.lateness.append(-pause)
                desk.due.append(start + moments.popleft())
                desk.go_on()
                continue
            for key, _ in selector.select(pause):
                key.data.receive()


def _in_turn(desks: Sequence[_Desk], rng: random.Random) -> Iterator[_Desk]:
    """Everybody moves equally often, in an order that changes."""
    while True:
        yield from rng.sample(desks, len(desks))
