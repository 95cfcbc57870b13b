"""What somebody sees whose server has no room or no records left for a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.noise import Noise
from tests.e2e.plans import plan
from tests.e2e.play import PlayPage, Visitor
from tests.e2e.server import Server
from tests.support.disk import Disk, server_on_a_disk
from tests.support.http import Somebody
from webapp.core.board import Mark

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts and limits")

TOLD = "The server could not do that just now. Try again."
MANY = 3000


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[Server, Disk]]:
    """A server on a disk that can be filled."""
    with server_on_a_disk(tmp_path / "data") as both:
        yield both


def expect_told(play: PlayPage) -> None:
    expect(play.sentence).to_have_text(TOLD)
    expect(play.live).to_have_text(TOLD)


def test_on_a_full_disk_the_board_stays_and_the_same_click_works_later(
    small: tuple[Server, Disk], visitor: Visitor, noise: Noise
) -> None:
    noise.expect_refusal(503)
    server, room = small
    game = plan("medium", Mark.X, "drawn")
    play = visitor(server.url).open()
    play.play(game.mine[0])
    room.fill()
    others = Somebody(server.url)
    assert any(others.start().status == 503 for _ in range(MANY))
    # What room is left is for small changes; whoever needs more than that is told.
    play.page.get_by_role("button", name="New game").click()
    expect_told(play)
    play.expect_board(game.board(2))
    room.free()
    play.play(*game.mine[1:])
    expect(play.game).to_have_attribute("data-outcome", "draw")
    play.page.reload()
    play.expect_board(game.board(9))


def test_while_the_data_folder_is_away_the_board_stays_and_the_same_click_works_later(
    own_server: Server, visitor: Visitor, noise: Noise, tmp_path: Path
) -> None:
    noise.expect_refusal(503)
    game = plan("medium", Mark.X, "drawn")
    play = visitor(own_server.url).open()
    play.play(*game.mine[:2])
    folder, aside = own_server.database.parent, tmp_path / "aside"
    folder.rename(aside)
    play.cell(game.mine[2]).click()
    expect_told(play)
    play.expect_board(game.board(4))
    aside.rename(folder)
    play.play(*game.mine[2:])
    expect(play.game).to_have_attribute("data-outcome", "draw")
    play.page.reload()
    play.expect_board(game.board(9))
