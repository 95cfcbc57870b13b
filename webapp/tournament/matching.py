"""Pairs in a graph: the most that there can be, and the ones to prefer among them.

A matching of most pairs is found path by path, and a cycle of odd length is shrunk to one vertex on
the way: J. Edmonds, "Paths, Trees, and Flowers", Canadian Journal of Mathematics 17 (1965).
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence, Set

Neighbours = Sequence[Set[int]]
"""For each vertex, those that it may be paired with."""


class Matching:
    """A matching of most pairs in a graph, which stays one as vertices are taken out.

    :ivar mates: for each vertex the one it is paired with, ``None`` for those left over
    """

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self._inside = [True] * len(neighbours)
        self.mates: list[int | None] = [None] * len(neighbours)
        for vertex, others in enumerate(neighbours):  # most pairs need no search
            if self.mates[vertex] is None:
                free = next((one for one in sorted(others) if self.mates[one] is None), None)
                if free is not None:
                    self.mates[vertex], self.mates[free] = free, vertex
        for vertex in range(len(neighbours)):
            if self.mates[vertex] is None:
                self._extend(vertex)

    @property
    def left_over(self) -> list[int]:
        """The vertices without a mate, of those that are still in the graph."""
        pairs = zip(self.mates, self._inside, strict=True)
        return [vertex for vertex, (mate, inside) in enumerate(pairs) if inside and mate is None]

    def take_pair(self, one: int, other: int) -> bool:
        """Take two vertices out as a pair, if as many pairs are possible with it as without.

        :return: whether they were taken out
        """
        if other not in self._neighbours[one]:
            return False
        before = list(self.mates)
        widowed = [mate for mate in (self.mates[one], self.mates[other]) if mate is not None]
        was_pair = self.mates[one] == other
        for vertex in (one, other):
            mate, self.mates[vertex] = self.mates[vertex], None
            if mate is not None:
                self.mates[mate] = None
            self._inside[vertex] = False
        # Two pairs are broken up for one: another one must make up for that.
        fits = was_pair or len(widowed) < 2 or any(map(self._extend, widowed))
        if not fits:
            self.mates = before
            self._inside[one] = self._inside[other] = True
        return fits

    def take(self, vertex: int) -> None:
        """Take out a vertex that is left over, or whose mate may be."""
        mate, self.mates[vertex] = self.mates[vertex], None
        self._inside[vertex] = False
        if mate is not None:
            self.mates[mate] = None
            self._extend(mate)

    def _extend(self, root: int) -> bool:
        """Find a path from a vertex without a mate to another one, and make one pair more of it."""
        return _Search(self._neighbours, self._inside, self.mates, root).extends()


class _Search:
    """The search for one path that alternates between pairs and others, from a root.

    :ivar parents: where the search came from, of the vertices that it reached by no pair
    :ivar base: the vertex that stands for the cycle in which a vertex lies
    """

    def __init__(
        self, rows: Neighbours, inside: Sequence[bool], mates: list[int | None], root: int
    ) -> None:
        self._rows, self._inside, self._mates, self._root = rows, inside, mates, root
        self.parents: list[int | None] = [None] * len(rows)
        self.base = list(range(len(rows)))
        self._queue, self._queued = deque([root]), {root}

    def extends(self) -> bool:
        """Tell whether there is such a path; its pairs are then changed."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in sorted(self._rows[vertex]):
                if self._inside[other] and self._reaches(vertex, other):
                    return True
        return False

    def _reaches(self, vertex: int, other: int) -> bool:
        """Go on from a vertex to another one; tell whether that is the end of a path."""
        mate = self._mates[other]
        if self.base[vertex] == self.base[other] or mate == vertex:
            return False
        if other == self._root or (mate is not None and self.parents[mate] is not None):
            self._shrink(vertex, other)
        elif self.parents[other] is None:
            self.parents[other] = vertex
            if mate is None:
                self._flip(other)
                return True
            self._follow(mate)
        return False

    def _follow(self, vertex: int) -> None:
        if vertex not in self._queued:
            self._queued.add(vertex)
            self._queue.append(vertex)

    def _shrink(self, one: int, other: int) -> None:
        """Let a cycle of odd length be one vertex from now on."""
        top, cycle = self._meeting(one, other), set[int]()
        self._mark(one, top, other, cycle)
        self._mark(other, top, one, cycle)
        for vertex, base in enumerate(self.base):
            if base in cycle:
                self.base[vertex] = top
                self._follow(vertex)

    def _meeting(self, one: int, other: int) -> int:
        """Return where the two ways to the root meet."""
        passed = {vertex := self.base[one]}
        while (mate := self._mates[vertex]) is not None:
            vertex = self.base[_known(self.parents[mate])]
            passed.add(vertex)
        vertex = self.base[other]
        while vertex not in passed:
            vertex = self.base[_known(self.parents[_known(self._mates[vertex])])]
        return vertex

    def _mark(self, vertex: int, top: int, child: int, cycle: set[int]) -> None:
        """Mark one side of a cycle, and let the other side lead back by it."""
        while self.base[vertex] != top:
            mate = _known(self._mates[vertex])
            cycle.update((self.base[vertex], self.base[mate]))
            self.parents[vertex] = child
            child, vertex = mate, _known(self.parents[mate])

    def _flip(self, end: int | None) -> None:
        """Pair the vertices of the path the other way round."""
        while end is not None:
            before = _known(self.parents[end])
            following = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = following


def preferred(
    neighbours: Neighbours, wishes: Callable[[int, Sequence[int]], Iterable[int]]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return as many pairs as there can be, and who is left over.

    One after the other gets the first of its wishes with which as many pairs are possible as at
    all.

    :param wishes: gives all others that are left, for a vertex and these, the best first
    """
    matching = Matching(neighbours)
    left, pairs, alone = list(range(len(neighbours))), list[tuple[int, int]](), list[int]()
    while left:
        vertex = left.pop(0)
        for other in wishes(vertex, left):
            if matching.take_pair(vertex, other):
                left.remove(other)
                pairs.append((vertex, other))
                break
        else:
            matching.take(vertex)
            alone.append(vertex)
    return pairs, alone


def _known(vertex: int | None) -> int:
    assert vertex is not None  # noqa: S101 - what the search has passed has a mate and a parent
    return vertex
