from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.people import Clock
from tests.support.visitor import Site, open_site
from webapp.core.board import Mark
from webapp.core.game import Game, NotAllowed
from webapp.service import games, lobby, players, wishes
from webapp.service.lobby import Ask
from webapp.service.site import Site as Service

ALICE, BOB, CAROL, DAN = (letter * 64 for letter in "abcd")
on_both = pytest.mark.parametrize("site", ["sqlite", "postgres"], indirect=True)
"""For what happens at the same moment, and a test of each file that says most statements."""


@pytest.fixture(autouse=True)
def waits_for_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("sqlite.BUSY", "sqlite._BEHIND", "postgres._PATIENCE"):
        monkeypatch.setattr(f"webapp.store.{limit}", int(PATIENCE))


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The application over an empty database: SQLite's, or PostgreSQL's where a test says so."""
    shared = getattr(request, "param", "sqlite") == "postgres"
    url = request.getfixturevalue("postgres").emptied() if shared else None
    with open_site(tmp_path, seed="tests", database_url=url) as site:
        # No one counts as away because the computer is slow: a test that wants it moves a clock on.
        here = site.service.live
        here.now = lambda: here._began
        yield site


@pytest.fixture
def host(site: Site) -> Service:
    return site.service


class Class:
    """Four players who are here, and what they do to find an opponent."""

    def __init__(self, site: Site) -> None:
        self.host = site.service
        for player in (ALICE, BOB, CAROL, DAN):
            players.welcome(self.host, player)
        self.here(ALICE, BOB, CAROL, DAN)

    def here(self, *several: str) -> None:
        for player in several:
            self.host.live.asked(player, hidden=True)

    def game(self, game_id: str | None) -> Game:
        assert game_id
        return games.look(self.host, game_id, DAN).game

    def seats(self, game_id: str | None) -> set[str]:
        return {*self.game(game_id).players}

    def play(self, game_id: str | None, moves: str) -> Game:
        for cell in map(int, moves):
            game = self.game(game_id)
            player = game.seat(game.turn or Mark.X)
            games.play(self.host, game.id, player or "", cell, game.version)
        return self.game(game_id)

    def seek(self, player: str, *, give_up: bool = False) -> str | None:
        return wishes.seek(self.host, player, give_up=give_up)

    def ask(self, player: str, asked: str, **how: bool) -> str | None:
        return wishes.ask(self.host, player, asked, **how)

    def refused(self, player: str, asked: str, **how: bool) -> str:
        with pytest.raises(NotAllowed) as refusal:
            self.ask(player, asked, **how)
        return str(refusal.value).replace(lobby.frame(self.host, asked)[0].name or "", "NAME")

    def looking(self) -> str:
        """The first letters of the players who look for an opponent, as the class sees them."""
        here = lobby.overview(self.host, DAN).here
        return "".join(sorted(one.player.id[0] for one in here if one.looking))

    def seen(self, viewer: str) -> dict[str, Ask]:
        here = lobby.overview(self.host, viewer).here
        return {one.player.id[0]: one.ask for one in here if one.ask}

    def asker(self, player: str) -> str | None:
        found = lobby.calls(self.host, player)
        return found.asker.id[0] if found.asker else None


@pytest.fixture
def pupils(site: Site, clock: Clock) -> Class:
    del clock  # which lets anyone who is not here be away
    return Class(site)
