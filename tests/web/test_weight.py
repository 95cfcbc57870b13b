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
from tests.support.people import Clock, sign_in
from tests.support.visitor import FRAGMENT, Site, statements
from webapp import names
from webapp.core.game import Game, Kind, Result
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.store import games as store_games
from webapp.store import records
from webapp.store.schema import players as rows
from webapp.tournament.event import Format, Opening

# Flask-Compress leaves the closing of a static file to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
GZIP = {"Accept-Encoding": "gzip"}


def fetched(client: FlaskClient, address: str) -> tuple[TestResponse, str]:
    response = client.get(address, headers=GZIP, buffered=True)
    body = response.data
    assert "Accept-Encoding" in response.headers.get("Vary", ""), address
    if len(body) > 1024:
        assert response.headers["Content-Encoding"] == "gzip", address
    return response, str(gzip.decompress(body) if response.content_encoding else body, "utf-8")


def check_first_load(site: Site, address: str, requests: int, weight: int) -> None:
    """Fetch what a browser fetches for a page, and hold its number and bytes against a budget."""
    client = site.app.test_client()
    response, page = fetched(client, address)
    weights = {address: len(response.data)}
    for element in parse(page).walk():
        assert element.tag not in ("img", "iframe", "source", "embed")
        later = element.get("rel") in ("icon", "manifest", "apple-touch-icon")  # asked for apart
        drawn = element.tag == "use" and not element.get("href").startswith("#")
        name = (element.get("src") or element.get("href")).partition("#")[0]
        if drawn or (element.tag in ("script", "link") and name and not later):
            part, text = fetched(client, name)
            assert part.status_code == 200, name
            assert not re.search(r"@import|url\((?!['\"]?data:)", text), f"{name} fetches more"
            weights[name] = len(part.data)
    assert not re.search(r'hx-trigger="(load|every)', page)
    assert (len(weights) <= requests, sum(weights.values()) <= weight) == (True, True), weights


def test_the_first_load_is_light(site: Site) -> None:
    for address, requests, weight in (("/", 7, 36_000), ("/class", 8, 44_000)):
        check_first_load(site, address, requests, weight)


def test_the_answer_to_a_move_is_light(site: Site) -> None:
    client, headers, lengths = site.app.test_client(), {**GZIP, **FRAGMENT}, list[int]()
    fields: dict[str, object] = {"opponent": "friend", "mark": "x", "cell": 4}
    answer = client.post("/games", data=fields, headers=headers)
    moves = f"{answer.headers['HX-Push-Url']}/moves"
    for version, cell in enumerate((0, 2, 6, 3, 5, 1, 7, 8), 1):  # a draw, with the longest list
        lengths.append(len(answer.data))
        fields = {"cell": cell, "version": version}
        answer = client.post(moves, data=fields, headers=headers)
        assert answer.status_code == 200
    assert "9 X" in gzip.decompress(answer.data).decode()
    assert max(*lengths, len(answer.data)) <= 1_600


def a_large_class(site: Site, size: int = 60) -> list[str]:
    results: tuple[Result, ...] = ("w", "d", "l")
    rng, now = random.Random("sixty"), int(site.service.clock())
    people = [f"{number:02x}".ljust(64, "0") for number in range(size)]
    with site.database.write() as connection:
        for player in people:
            name = names.generated(rng)
            row = {"id": player, "name": name, "name_key": names.key(name) + player[:2]}
            when = {"seen_at": now, "created_at": now}
            insert = sa.insert(rows).values(dealt=name, opponent="easy", mark="x")
            connection.execute(insert.values(**row, **when))
            for _game in range(10):
                records.record_result(connection, player, "medium", rng.choice(results))
        for number in range(size // 2):
            x, o = people[2 * number : 2 * number + 2]
            game = Game(kind=Kind.TWO_DEVICES, x_seat=x, o_seat=o)
            for cell in rng.choice(((4, 0, 8, 2, 1), (0, 4, 8, 2, 6), (1, 4, 7, 0, 8))):
                game = game.play(cell)
            store_games.insert(connection, replace(game, id=f"{number:022}"), now)
    for player in people:
        site.service.live.asked(player, hidden=True)
    return people


def test_the_pages_of_a_large_class_are_light(site: Site) -> None:
    a_large_class(site)
    acts.choose(site.service, places="all")
    check_first_load(site, "/class/board", 8, 52_000)
    client = site.app.test_client()
    for address, said in (
        ("/class/board", {'<li id="rank-': 60, '<li id="board-': 12}),
        ("/class", {'id="ask-': 60, 'class="mini"': 30, "All 60 places": 1}),
    ):
        news = client.get(address, headers={**GZIP, **FRAGMENT})
        shown = gzip.decompress(news.data).decode()
        assert {what: shown.count(what) for what in said} == said
        assert len(news.data) <= 8 * 1024, address


MOST_STATEMENTS = {
    "class": {"/healthz": 1, "/class": 17, "/class/board": 14, "/host": 19},
    "tournament": {"/class": 16, "/class/board": 10, "/host": 26},
}


def test_pages_ask_the_database_no_oftener_than_they_must(site: Site, clock: Clock) -> None:
    del clock  # on which nothing is due meanwhile
    players = a_large_class(site, 30)
    teacher, pupil = sign_in(site, HostKey(site.settings).ensure()), site.visitor()
    pupil.come_in()
    event = tournaments.create(site.service, Format.SWISS, Opening.EMPTY, 10, 5)
    for state, most in MOST_STATEMENTS.items():
        if state == "tournament":
            for player in players:
                tournaments.join(site.service, event, player)
            tournaments.start(site.service, event)
        for address, number in most.items():
            with statements(site.database) as asked:
                assert (teacher if address == "/host" else pupil).get(address).status == 200
            assert len(asked) <= number, (state, address, asked)
