"""How much travels: the first load, the answer to a move, and what is new on the wall."""

import gzip
import random
import re
from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.html import parse
from tests.support.people import Clock, be_here, player_of, sit_down
from tests.support.visitor import FRAGMENT, Site
from webapp import names
from webapp.core.game import Game, Kind, Result
from webapp.store import games as store_games
from webapp.store import records
from webapp.store.schema import players

# Flask-Compress leaves the closing of a static file to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

KIB = 1024
GZIP = {"Accept-Encoding": "gzip"}


def fetched(client: FlaskClient, address: str) -> tuple[TestResponse, str]:
    """Return the answer to a browser, and its text."""
    response = client.get(address, headers=GZIP, buffered=True)
    body = response.data
    assert "Accept-Encoding" in response.headers.get("Vary", ""), address
    if len(body) > KIB:
        assert response.headers["Content-Encoding"] == "gzip", address
    return response, str(gzip.decompress(body) if response.content_encoding else body, "utf-8")


def first_load(site: Site, address: str) -> dict[str, int]:
    """Return what a browser fetches for a page, and how many bytes each file takes."""
    client = site.app.test_client()
    response, page = fetched(client, address)
    weights = {address: len(response.data)}
    for element in parse(page).walk():
        assert element.tag not in ("img", "iframe", "source", "embed")
        # What only a tab's title or a home screen asks for.
        later = element.get("rel") in ("icon", "manifest", "apple-touch-icon")
        drawn = element.tag == "use" and not element.get("href").startswith("#")
        if drawn or (element.tag in ("script", "link") and not later):
            name = element.get("src" if element.tag == "script" else "href").partition("#")[0]
            part, text = fetched(client, name)
            assert part.status_code == 200, name
            assert not re.search(r"@import|url\((?!['\"]?data:)", text), f"{name} fetches more"
            weights[name] = len(part.data)
        # Drawings that lie in a file of their own.
        if element.tag == "use" and (name := element.get("href").partition("#")[0]):
            weights[name] = len(fetched(client, name)[0].data)
    assert not re.search(r'hx-trigger="(load|every)', page)
    return weights


@pytest.mark.parametrize("address, requests, weight", [("/", 7, 36_000), ("/class", 8, 44_000)])
def test_the_first_load_is_light(own_site: Site, address: str, requests: int, weight: int) -> None:
    weights = first_load(own_site, address)
    assert len(weights) <= requests, weights
    assert sum(weights.values()) <= weight, weights


def test_what_is_new_of_a_full_class_is_light(own_site: Site, own_clock: Clock) -> None:
    people = [own_site.visitor() for _ in range(60)]
    for x, o in zip(people[::2], people[1::2], strict=True):
        pair = sit_down(x, o)
        for ply, cell in enumerate("0481"):
            x_moves = ply % 2 == 0
            fields = {"cell": cell, "version": ply + 2}
            assert (x if x_moves else o).post(f"{pair.address}/moves", fields).status == 303
        own_clock.goes_on(0.01)
    with own_site.database.write() as connection:
        for number, one in enumerate(people):
            for level in range(10 + number):
                result: Result = "w" if level < number else "l"
                records.record_result(connection, player_of(one), "medium", result)
    be_here(own_site, *people)
    answer = people[30]._client.get("/class?since=0", headers={**GZIP, **FRAGMENT})
    text = gzip.decompress(answer.data).decode()
    assert (text.count('id="ask-'), text.count('class="mini"')) == (59, 30)
    assert "All 60 places" in text
    assert len(answer.data) <= 8 * KIB


def test_the_answer_to_a_move_is_light(site: Site) -> None:
    client, rng = site.app.test_client(), random.Random("weight")
    headers = {**GZIP, **FRAGMENT}
    heaviest = finished = 0
    for number in range(20):
        opponent = ("medium", "friend")[number % 2]
        fields: dict[str, object] = {"opponent": opponent, "mark": "x", "cell": rng.randrange(9)}
        answer = client.post("/games", data=fields, headers=headers)
        moves, free = f"{answer.headers['HX-Push-Url']}/moves", [""]
        while free:
            heaviest = max(heaviest, len(answer.data))
            text = gzip.decompress(answer.data).decode()
            free = re.findall(r'name="cell" value="(\d)"(?! type)', text)
            if free:
                version = re.findall(r'data-version="(\d+)"', text)
                fields = {"cell": rng.choice(free), "version": version}
                answer = client.post(moves, data=fields, headers=headers)
                assert answer.status_code == 200
        finished += "9 X" in text
    assert finished >= 5  # the longest games have the longest lists of moves
    assert heaviest <= 1.5 * KIB


def a_large_class(site: Site) -> None:
    """Let sixty players be here, who have played, in thirty games with five marks each."""
    results: tuple[Result, ...] = ("w", "d", "l")
    rng, now = random.Random("sixty"), int(site.service.clock())
    people = [f"{number:02x}".ljust(64, "0") for number in range(60)]
    with site.database.write() as connection:
        for player in people:
            name = names.generated(rng)
            row = {"id": player, "name": name, "name_key": names.key(name) + player[:2]}
            when = {"seen_at": now, "created_at": now}
            insert = sa.insert(players).values(dealt=name, opponent="easy", mark="x")
            connection.execute(insert.values(**row, **when))
            for _game in range(10):
                records.record_result(connection, player, "medium", rng.choice(results))
        for number in range(30):
            x, o = people[2 * number : 2 * number + 2]
            game = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o)
            for cell in rng.choice(((4, 0, 8, 2, 1), (0, 4, 8, 2, 6), (1, 4, 7, 0, 8))):
                game = game.play(cell)
            store_games.insert(connection, replace(game, id=f"{number:022}"), now)
    for player in people:
        site.service.live.presence.asked(player, seldom=True)


def test_the_wall_of_a_large_class_is_light(own_site: Site) -> None:
    a_large_class(own_site)
    weights = first_load(own_site, "/class/board")
    assert len(weights) <= 8, weights
    assert sum(weights.values()) <= 52_000, weights
    client = own_site.app.test_client()
    news = client.get("/class/board", headers={**GZIP, **FRAGMENT})
    shown = gzip.decompress(news.data).decode()
    assert shown.count('<li id="rank-') == 60
    assert shown.count('<li id="board-') == 12
    assert len(news.data) <= 8 * KIB
