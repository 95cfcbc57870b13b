"""The results of the class as tables for a spreadsheet: what is in them, and how they are sent."""

from __future__ import annotations

import csv
import re
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO

import pytest
import sqlalchemy as sa

from tests.support.people import Clock, be_here, name_of, played_out, player_of, sign_in, sit_down
from tests.support.visitor import Site, Visitor
from webapp.core.game import Result
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.service.site import Site as Service
from webapp.store import records
from webapp.store.schema import games
from webapp.tournament.event import Format, Opening
from webapp.web.present.results import write

LITTLE = 2 * 2**20
"""Bytes of memory in which a table is made: what is larger is in a file."""

MOVES, OPENING = "Moves (cells 0 to 8, row by row)", "Opening (moves given at the start)"


def table(teacher: Visitor, name: str) -> list[dict[str, str]]:
    """The lines of a table, as a spreadsheet reads them."""
    answer = teacher.get(f"/host/{name}.csv")
    assert answer.status == 200
    return list(csv.DictReader(StringIO(answer.response.data.decode("utf-8-sig"), newline="")))


def renamed(host: Service, who: Visitor, name: str) -> Visitor:
    acts.rename(host, player_of(who), name)
    return who


@pytest.mark.parametrize("name", ["players", "games"])
def test_a_table_is_a_file_with_a_mark_and_a_date_that_no_cache_keeps(
    own_site: Site, teacher: Visitor, name: str
) -> None:
    played_out(own_site.visitor())
    for headers in ({}, {"Accept-Encoding": "br, gzip"}):
        answer = teacher.get(f"/host/{name}.csv", headers=headers)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        today = datetime.now(UTC).astimezone().date()
        named = f"attachment; filename={name}-{today}.csv"
        assert answer.headers["Content-Disposition"] == named
        assert answer.headers["Cache-Control"] == "no-store"
        if "Content-Encoding" not in answer.headers:
            assert int(answer.headers["Content-Length"]) == len(answer.response.data)
            assert answer.response.data.startswith(b"\xef\xbb\xbf")
            assert answer.response.data.count(b"\r\n") == 2
    assert teacher.send("HEAD", f"/host/{name}.csv").status == 200


def test_every_kind_of_game_is_a_line(
    own_site: Site, own_clock: Clock, host: Service, teacher: Visitor
) -> None:
    alice, bob, carol = (own_site.visitor() for _ in range(3))
    for who, name in ((alice, "Ada"), (bob, "Bob"), (carol, "Carol")):
        who.get("/class")
        renamed(host, who, name)
    sit_down(alice, bob).play("03142")
    resigned = sit_down(bob, alice)
    resigned.play("04")
    resigned.act(bob, "resign")
    claimed = sit_down(alice, bob)
    claimed.play("0")
    own_clock.goes_on(60)
    claimed.act(alice, "claim")
    sit_down(carol, alice).play("03142")
    friends = alice.start("friend", "x", cell=0)
    for cell in (3, 1, 4, 2):
        friends = alice.move(friends, cell)
    won = played_out(alice, page=alice.start("easy", "x", cell=4))
    left = alice.start("hard", "o")
    alice.act("again", left, mark="x")
    alice.start("medium", "x", cell=4)  # goes on
    acts.remove(host, player_of(carol))
    found = table(teacher, "games")
    kinds = [[line[one] for one in ("X", "O", "Result", "How it ended")] for line in found]
    easy = {"x": "X won", "o": "O won", "draw": "Draw"}[won.outcome]
    assert sorted(kinds) == sorted([
        ["Ada", "Bob", "X won", ""],
        ["Bob", "Ada", "O won", "given up"],
        ["Ada", "Bob", "X won", "claimed, as the opponent was away"],
        ["A player who left", "Ada", "X won", ""],
        ["Ada", "A friend at the same device", "X won", ""],
        ["Ada", "Easy", easy, ""],
        ["Hard", "Ada", "Not finished", "left early"],
    ])  # fmt: skip
    assert {line[MOVES] for line in found} >= {"0 3 1 4 2", "0 4", "0"}
    for line in found:
        for moment in (line["Begun"], line["Ended"]):
            assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", moment)


def test_a_game_of_a_tournament_has_its_number_round_and_opening(
    own_site: Site, own_clock: Clock, teacher: Visitor
) -> None:
    alice, bob = own_site.visitor(), own_site.visitor()
    service = own_site.service
    sit_down(alice, bob).play("03142")
    for form in (Format.ARENA, Format.SWISS):
        id_ = tournaments.create(service, form, Opening.SHARP, 10, 1)
        for who in (alice, bob):
            who.post(f"/tournaments/{id_}/join")
        be_here(own_site, alice, bob)
        tournaments.start(service, id_)
        for _ in range(5):
            own_clock.goes_on(1)
            tournaments.tick(service)
        address = alice.get(f"/tournaments/{id_}/play").location
        mover = next(who for who in (alice, bob) if who.get(address).playable)
        page = mover.get(address)
        mover.move(page, page.playable[0])
        for who in (alice, bob):
            who.get(address)
        for _ in range(13):  # and the other one lets the time run out
            own_clock.goes_on(1)
            tournaments.tick(service)
        tournaments.end(service, id_)
    found = table(teacher, "games")
    alone, arena, swiss = (
        next(one for one in found if one["Tournament"] == number) for number in ("", "1", "2")
    )
    assert [one["Round"] for one in (alone, arena, swiss)] == ["", "", "1"]
    assert alone[OPENING] == ""
    for one in (arena, swiss):
        assert re.fullmatch(r"\d( \d){0,2}", one[OPENING])
        assert re.fullmatch(rf"{one[OPENING]} \d", one[MOVES]), "given moves are among the moves"
        assert one["How it ended"] == "out of time"


def test_players_with_the_same_rating_share_a_place_and_no_one_without_a_name_is_there(
    own_site: Site, host: Service, teacher: Visitor
) -> None:
    people = [own_site.visitor() for _ in range(5)]
    for who in people:
        who.start("friend", "x", cell=4)
    nobody = own_site.visitor()
    nobody.start("friend", "x", cell=4)
    with own_site.database.write() as connection:
        parameters = {"id": player_of(nobody)}
        without = "UPDATE players SET name = NULL, name_key = NULL WHERE id = :id"
        assert connection.execute(sa.text(without), parameters).rowcount == 1
        results: list[Result] = ["w", "d", "d", "l"]
        for who, result in zip(people, results, strict=False):
            for _ in range(10):
                records.record_result(connection, player_of(who), "medium", result)
        records.record_result(
            connection, player_of(people[0]), player_of(people[1]), "w", person=True
        )
        records.record_result(
            connection, player_of(people[1]), player_of(people[0]), "l", person=True
        )
    found = table(teacher, "players")
    assert [line["Place"] for line in found] == ["1", "2", "2", "4", ""]
    assert [line["Rating"] for line in found] == ["1311", "1000", "1000", "689", ""]
    assert [line["Games"] for line in found] == ["11", "11", "10", "10", "0"]
    assert found[0]["Name"] == name_of(people[0])
    for against, won in (("people", "1"), ("the computer", "10")):
        counted = [found[0][f"{how} against {against}"] for how in ("Won", "Drawn", "Lost")]
        assert counted == [won, "0", "0"]


# --- what a spreadsheet would compute -------------------------------------------------------------


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(first: str) -> None:
    file = StringIO(newline="")
    write(file, [(f"{first}1+1", f"1{first}1", None, 5, 'a"b', "a,b\nc")])
    file.seek(0)
    (row,) = csv.reader(file)
    assert row == [f"'{first}1+1", f"1{first}1", "", "5", 'a"b', "a,b\nc"]


# --- how long it takes ----------------------------------------------------------------------------


def test_a_table_of_very_many_games_is_made_in_little_memory(
    own_site: Site, teacher: Visitor, times: Callable[[int, int], int]
) -> None:
    alice, number = own_site.visitor(), times(5_000, 100_000)
    played_out(alice)
    with own_site.database.write(patient=True) as connection:
        row = connection.execute(sa.select(games)).mappings().one()
        more = [{**row, "id": f"{one:022}", "start_key": None} for one in range(1, number)]
        connection.execute(sa.insert(games), more)
    tracemalloc.start()
    start = time.perf_counter()
    answer = teacher._client.get("/host/games.csv")
    took, (_, most) = time.perf_counter() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = int(answer.headers["Content-Length"])
    print(f"{number} games: {took:.2f} s, {most / 2**20:.1f} of {size / 2**20:.1f} MiB")  # with -s
    assert answer.data.count(b"\r\n") == 1 + number
    answer.close()
    assert most < LITTLE


# --- after the lesson -----------------------------------------------------------------------------


def test_the_page_after_the_lesson_counts_what_was_played_today(
    own_site: Site, own_clock: Clock, host: Service, teacher: Visitor
) -> None:
    alice, bob = (own_site.visitor() for _ in range(2))
    for who, name in ((alice, "Ada"), (bob, "Bob")):
        who.get("/class")
        renamed(host, who, name)
    assert "No one has finished a game yet." in teacher.get("/host/lesson").document.text
    sit_down(alice, bob).play("03142")  # O answers a corner at an edge, and X takes it from there
    sit_down(bob, alice).play("041387526")
    cancelled = sit_down(alice, bob)
    cancelled.act(alice, "resign")
    alice.start("friend", "x", cell=0)
    page = teacher.get("/host/lesson")
    lines = [[cell.text for cell in row.all("th", "td")] for row in page.document.all("tr")]
    assert lines[1:] == [
        ["Ada", "2", "1 · 1 · 0", "0 · 0 · 0"],
        ["Bob", "2", "0 · 1 · 1", "0 · 0 · 0"],
    ]
    assert f'data-number="{acts.number(player_of(alice))}"' in page.text
    text = page.document.text
    assert "O to move, 2 times, 1 wrong. Chosen: top centre (1). Better: centre." in text
    assert "Ada beat Bob" in text
    assert teacher.press(page, "Talk about it Ada beat Bob").status == 200
    assert "A review, after 0 of 5 moves" in teacher.get("/host").document.text
    own_clock.goes_on(2 * 24 * 60 * 60)
    later = sign_in(own_site, HostKey(own_site.settings).read())
    assert "No one has finished a game yet." in later.get("/host/lesson").document.text
