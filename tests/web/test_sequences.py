"""Anything that a few people send, in any order: what must always hold, holds after each request.

What is stored is held against the rules of the game and what was stored before; a game's page
against its row; and an open page that was told of nothing against the same page opened now.
"""

import random
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, note, settings
from hypothesis import strategies as st
from jinja2 import FileSystemBytecodeCache

from tests.support import played, rules
from tests.support.patience import Times
from tests.support.people import Clock, player_of
from tests.support.played import ABSENT_AFTER, NONE, Row, is_live, mover, rows, seats
from tests.support.tabs import Tab, game_in, opened
from tests.support.visitor import FRAGMENT, Site
from webapp.config import Settings
from webapp.live import sealed
from webapp.service import tournaments, wishes
from webapp.service.key import HostKey
from webapp.service.teacher import number
from webapp.store.schema import metadata
from webapp.store.topics import Change
from webapp.web import create_app
from webapp.words import isolated

ANSWERS = {200, 204, 303, 403, 404, 409, 422}
HOST, FOUR, STEPS, TABS, NO_ONE = 3, range(4), 40, 3, "A" * 22
"""Which of the four is the host, and plays too; how much happens; how many games' pages each has
open; and the id of nothing."""
EVENT = ("next", "end", "out", "in")
CLOCKS = {"updated_at", "deadline"}  # which a pause moves without another version


def without(names: set[str], stored: dict[Any, Row]) -> dict[Any, Row]:
    return {key: row | dict.fromkeys(names & row.keys()) for key, row in stored.items()}


class Lesson:
    """Three pupils and their teacher, who send each other's addresses around."""

    clock: Clock

    def __init__(self, chosen: Settings) -> None:
        self.chosen, self.tabs = chosen, dict[tuple[int, str], Tab]()
        self.due, self.told = dict[tuple[int, str], float](), set[tuple[int, str]]()
        self.ids, self.results = list[str](), dict[tuple[str, str], str]()
        self.start()
        with self.site.database.write() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(sa.delete(table))
        self.people = [self.site.visitor() for _ in FOUR]
        self.stored = rows(self.site.database)
        for visitor in self.people:
            visitor.come_in()
        self.changed()
        self.cookies = [[who.cookie() or ""] for who in self.people]
        self.sign_in()

    def sign_in(self) -> None:
        assert self.send(HOST, "/host", {"key": HostKey(self.chosen).ensure()}) == 303

    def step(self, seed: int) -> None:
        """Let something happen, and then a second pass; 0 stands for nothing."""
        chance = Random(seed)
        (act,) = chance.choices([*ACTS], [*ACTS.values()])
        if seed:
            act(self, chance)
            self.passes(1)
            played.check_records(self.stored, self.results)
            assert self.live.here() >= self.waiting()
            if seed % 2:
                self.check_pages()

    def start(self, now: float | None = None) -> None:
        """Start a process, which knows no page of anyone's; long ago, or just now."""
        self.site = Site(create_app(self.chosen, prepared="12345678"), self.chosen)
        self.site.app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(self.chosen.data))
        clock = Lesson.clock = Clock(self.site)
        self.live = self.site.service.live
        if now is not None:
            clock._time = clock._apart = now
            self.live._began = 0.0
        self.live.tell = self.hear
        self.keep_streams()

    def hear(self, changes: Iterable[Change]) -> None:
        changed = {sealed(change.topic) for change in changes}
        self.told |= {key for key, tab in self.tabs.items() if tab.topics & changed}

    def waiting(self) -> set[str]:
        return {self.me(who) for (who, _), tab in self.tabs.items() if tab.here}

    def keep_streams(self) -> None:
        """Let each open page have a stream, and no other one."""
        streams = {(self.me(who), where) for (who, where), tab in self.tabs.items() if tab.here}
        for player, pages in [*self.live._pages.items()]:
            for page in {page for page in pages if page and (player, page) not in streams}:
                self.live.closed(player, page)
        for player, page in streams:
            self.live.here_until(player, inf, page)

    def passes(self, seconds: float) -> None:
        self.keep_streams()
        self.clock.goes_on(seconds)
        self.live.beat()
        wishes.pair_all(self.site.service)
        tournaments.tick(self.site.service)
        self.changed()

    @property
    def games(self) -> dict[str, Row]:
        return {id_: row for (id_,), row in self.stored["games"].items()}

    @property
    def paused_at(self) -> int | None:
        return next((row["paused_at"] for row in self.stored["lesson"].values()), None)

    @property
    def tournament(self) -> str:
        latest = max(self.stored["tournaments"].values(), key=lambda row: row["number"], default={})
        return str(latest.get("id", NO_ONE))

    def me(self, who: int) -> str:
        return player_of(self.people[who])

    def name(self, player: str) -> str:
        return isolated(self.stored["players"][player,]["name"])

    def idle(self, row: Row) -> int:
        return self.clock.since(row["updated_at"], self.paused_at)

    def game(self, chance: Random) -> tuple[str, Row]:
        """One of the last games, or one that is no more or never was."""
        at = chance.choice((0, 0, 0, 0, 1, 1, 2, 5))
        id_ = self.ids[-1 - at] if at < len(self.ids) else NO_ONE
        return id_, self.games.get(id_, NONE)

    def send(self, who: int, path: str, fields: Row | None = None, *, htmx: bool = False) -> int:
        headers = FRAGMENT if htmx else {}
        answer = self.people[who]._client.post(path, data=fields or {}, headers=headers)
        before, status = self.changed(), answer.status_code
        note(f"{who} {path} {fields or ''} {status}")
        assert status in ANSWERS
        assert status < 400 or self.stored == before
        return status

    def changed(self) -> played.Stored:
        """Hold what is stored now against what was stored before, and return that."""
        before, self.stored = self.stored, rows(self.site.database)
        self.ids += sorted(self.games.keys() - {*self.ids})
        for id_, row in self.games.items():
            was = before["games"].get((id_,))
            if row != was:
                played.check_moves(row)
                self.check_change(was or row | NONE, row)
        names = {key: row["name"] for key, row in self.stored["players"].items()}
        if any(names.get(key) != row["name"] for key, row in before["players"].items()):
            self.tabs.clear()  # they call a player as when they were opened
        for (player,) in before["players"].keys() - names.keys():
            self.results = played.left(self.results, player)
        return before

    def holds(self, row: Row, player: str) -> bool:
        """Whether a game keeps one of its players from another one between two devices."""
        absent = self.idle(row) >= ABSENT_AFTER and not row["tournament"]
        return is_live(row) and (mover(row) == player or not absent)

    def check_change(self, was: Row, row: Row) -> None:
        same = without(CLOCKS, {0: was}) == without(CLOCKS, {0: row})
        assert same or row["version"] > was["version"]
        if was["outcome"]:
            assert all(row[name] == was[name] for name in ("moves", "outcome", "ending"))
        if row["outcome"] and not was["outcome"]:
            for player, opponent, result in played.results(row, was if any(seats(was)) else row):
                self.results[player, opponent] = self.results.get((player, opponent), "") + result
        elif is_live(row) and not is_live(was):
            for player in filter(None, seats(row)):
                mine = [one for one in self.games.values() if player in seats(one)]
                assert (player,) not in self.stored["wishes"], "who plays waits for no one"
                assert [self.holds(one, player) for one in mine].count(True) == 1

    def check_pages(self) -> None:
        """Hold each open game against the same page opened now, and that against its row."""
        for (who, where), tab in [*self.tabs.items()]:
            now, key = opened(self.people[who], tab.address), (who, where)
            if key not in self.told and self.clock._passed < self.due[key]:
                assert now, where
                assert now.text == tab.text, where
            if now:
                self.show(key, now)
                self.check_board(self.me(who), now.text)
            else:
                del self.tabs[key]

    def check_board(self, me: str, text: str) -> None:
        id_, *shown = game_in(text)
        row = self.games[id_]
        assert shown == [str(row["version"]), row["outcome"], rules.after(map(int, row["moves"]))]
        if is_live(row) and me in seats(row):
            turn = "Your turn" if mover(row) == me else f"{self.name(mover(row) or '')} "
            assert f'<h2 id="turn">{turn if self.paused_at is None else "Paused"}' in text

    def look(self, chance: Random) -> None:
        who, (id_, _) = chance.choice(FOUR), self.game(chance)
        event = f"/tournaments/{self.tournament}"
        others = ("/class", "/class/board", "/calls", event, f"{event}/play?game={id_}", "/you")
        of_the_host = ("/host", "/host/lesson", "/host/players.csv", "/host/games.csv")
        if chance.choice((True, False)):
            self.keep_open(who, f"/games/{id_}")
        elif chance.choice((True, False)):
            assert self.people[who]._client.get(chance.choice(others)).status_code in ANSWERS
        else:
            assert self.people[HOST]._client.get(chance.choice(of_the_host)).status_code in ANSWERS
        self.changed()

    def keep_open(self, who: int, address: str) -> None:
        self.live.asked(self.me(who))  # as its page will at once
        if tab := opened(self.people[who], address):
            self.show((who, address), tab)
            for key in [key for key in self.tabs if key[0] == who][:-TABS]:
                del self.tabs[key]
        self.changed()

    def show(self, key: tuple[int, str], tab: Tab) -> None:
        self.tabs[key], self.due[key] = tab, self.clock._passed + tab.again_s
        self.told.discard(key)

    def close_pages(self, chance: Random) -> None:
        who = chance.choice(FOUR)
        self.tabs = {key: tab for key, tab in self.tabs.items() if key[0] != who}
        if chance.choice((True, False)):
            assert self.send(who, "/goodbye") == 204

    def start_game(self, chance: Random) -> None:
        opponent = chance.choice(("easy", "medium", "hard", "friend", "nobody"))
        fields: Row = {"opponent": opponent, "mark": chance.choice(("x", "x", "o", "alternate"))}
        fields["cell" if chance.randrange(5) else "moves"] = chance.choice((*range(10), 40, 44))
        if self.send(chance.choice(FOUR), "/games", fields) == 303 and self.ids:
            self.play(chance, self.ids[-1])

    def press(self, chance: Random) -> None:
        (id_, row), paused = self.game(chance), self.paused_at
        players = [who for who in FOUR if self.me(who) in seats(row)]
        who = chance.choice([*players * 4, *FOUR])
        what = chance.choice(
            ("moves", "undo", "hint", "again", "again", "resign", "claim", "claim")
        )
        late, cell = chance.choice((0, 0, 0, 1, -1)), chance.randrange(10)
        if what == "claim" and cell < 5:
            self.passes(ABSENT_AFTER)
        idle = self.idle(row) if row is not NONE else 0
        fields = {"version": row["version"] - late, "cell": cell}
        if self.send(who, f"/games/{id_}/{what}", fields, htmx=chance.choice((True, False))) >= 400:
            return
        assert self.me(who) in seats(row)
        assert what == "again" or (late == 0 and paused is None)
        assert what != "claim" or idle >= ABSENT_AFTER
        if what == "moves":
            assert mover(row) == self.me(who)
            assert self.games[id_]["moves"].startswith(f"{row['moves']}{cell}")

    def play(self, chance: Random, id_: str = "") -> None:
        id_ = id_ or self.game(chance)[0]
        players = {self.me(who): who for who in FOUR}
        for _ in range(chance.randrange(10)):
            row = self.games.get(id_, NONE)
            who = players.get(mover(row) or "")
            if who is None or row["outcome"]:
                break
            cell = chance.choice(rules.free(rules.after(map(int, row["moves"]))))
            fields = {"version": row["version"], "cell": cell}
            status = self.send(who, f"/games/{id_}/moves", fields)
            assert status == (303 if self.paused_at is None else 409)

    def meet(self, chance: Random) -> None:
        codes = [row["code"] for row in self.stored["wishes"].values() if row["code"]]
        code = chance.choice([*codes, "ABCDEF"])
        event = [f"/tournaments/{self.tournament}/{what}" for what in ("join", "leave")]
        others = ["/challenges", f"/join/{code}", "/seeks", "/seeks", "/seeks/cancel"]
        path = chance.choice([*event, *others * 2])
        fields: Row = {"mark": chance.choice("xo"), **chance.choice(({}, {"give_up": 1}))}
        self.send(chance.choice(FOUR), path, fields, htmx=chance.choice((True, False)))

    def sit_down(self, chance: Random) -> None:
        who, other = chance.sample(FOUR, 2)
        if self.send(who, "/challenges", {"mark": chance.choice("xo"), "give_up": 1}) == 303:
            wish = self.stored["wishes"][self.me(who),]
            if self.send(other, f"/join/{wish['code']}", {"give_up": 1}) == 303:
                for player in (who, other):
                    self.keep_open(player, f"/games/{wish['game']}")
                self.play(chance, wish["game"])

    def be_another(self, chance: Random) -> None:
        who, what = chance.choice(FOUR), chance.choice(("name", "name", "new", "forget", "back"))
        if what == "name":
            self.send(who, "/you/name", chance.choice(({}, {"name": "Zoë"}, {"name": "a\tb"})))
            return
        self.tabs = {key: tab for key, tab in self.tabs.items() if key[0] != who}
        if what == "back":
            self.people[who].set_cookie(chance.choice(self.cookies[who]))
        else:
            assert self.send(who, f"/you/{what}") == 303
            self.cookies[who].append(self.people[who].cookie() or "")

    def lead(self, chance: Random) -> None:
        who, guest = chance.choice((0, *[HOST] * 4)), number(self.me(chance.choice(FOUR)))
        (id_, row), event = self.game(chance), self.tournament
        acts: list[tuple[str, Row]] = [
            *[("pause", {})] * 3, *[("resume", {})] * 6, *[("standings/reset", {})] * 2,
            ("wall", {}), ("wall", {"game": id_}), ("wall", {"tournament": event}),
            ("wall", {"game": id_, "moves": row["moves"]}), ("names", {"locked": 1}), ("names", {}),
            (f"players/{guest}/rename", {"name": "Ada"}), (f"players/{guest}/remove", {}),
            *((f"tournaments/{event}/{act}", {"player": guest}) for act in EVENT),
        ]  # fmt: skip
        what, fields = chance.choice(acts)
        status = self.send(who, f"/host/{what}", fields, htmx=chance.choice((True, False)))
        assert status == 403 or who == HOST
        if what == "standings/reset" and status < 400:
            self.results = dict.fromkeys(self.results, "")

    def hold_tournament(self, chance: Random) -> None:
        kind, opening = chance.choice(("arena", "swiss")), chance.choice(("empty", "sharp"))
        fields = {"format": kind, "opening": opening, "clock": 10, "minutes": 1, "rounds": 2}
        self.send(HOST, "/host/tournaments", fields)
        for who in chance.sample(FOUR, 3):
            self.send(who, f"/tournaments/{self.tournament}/join")
        self.send(HOST, f"/host/tournaments/{self.tournament}/start")

    def time_passes(self, chance: Random) -> None:
        for seconds in chance.choice(([1] * 3, [1] * 3, [1] * 12, [61], [61], [1000])):
            self.passes(seconds)

    def set_clock(self, chance: Random) -> None:
        self.clock.is_set(chance.choice((5, 3600, -5, -3600)))
        self.sign_in()  # no one knows how long ago the last time was

    def start_again(self, _: Random) -> None:
        self.site.ends()
        self.start(self.clock())
        for visitor in self.people:
            visitor._client.application = self.site.app


ACTS: dict[Callable[[Lesson, Random], None], int] = {
    Lesson.look: 14, Lesson.press: 14, Lesson.play: 8, Lesson.meet: 15, Lesson.sit_down: 8,
    Lesson.start_game: 4, Lesson.lead: 8, Lesson.be_another: 4, Lesson.close_pages: 4,
    Lesson.hold_tournament: 3, Lesson.time_passes: 6, Lesson.set_clock: 2, Lesson.start_again: 2,
}  # fmt: skip
"""What may happen, and how often."""


@pytest.fixture(autouse=True)
def the_same_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sequence that is tried again draw the same: before each one the generator is seeded."""
    for service in ("players", "site", "wishes"):
        monkeypatch.setattr(f"webapp.service.{service}.SystemRandom", lambda: random)

    def drawn(size: int = 32) -> str:
        return urlsafe_b64encode(random.randbytes(size)).rstrip(b"=").decode()

    monkeypatch.setattr("secrets.token_urlsafe", drawn)


@pytest.mark.parametrize("database_url", ["sqlite", "postgres"], indirect=True)
def test_whatever_is_sent_all_holds(database_url: str | None, tmp_path: Path, times: Times) -> None:
    chosen = Settings(
        data=tmp_path, database_url=database_url, seed="tests", synchronous="NORMAL", names="own",
        limits="off",
    )  # fmt: skip
    create_app(chosen).extensions["site"].database.close()

    @settings(max_examples=times(3 if database_url else 10, 2_000))
    @given(st.lists(st.integers(0, 2**32), min_size=STEPS, max_size=STEPS))
    def all_holds(seeds: list[int]) -> None:
        lesson = Lesson(chosen)
        try:
            for seed in seeds:
                lesson.step(seed)
        finally:
            lesson.site.ends()

    all_holds()
