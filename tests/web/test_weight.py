"""How much travels: the first load, and the answer to a move."""

import gzip
import random
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.html import parse
from tests.support.people import Clock, be_here, player_of, sit_down
from tests.support.visitor import FRAGMENT, Site
from webapp.core.game import Result
from webapp.store import records

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


@pytest.mark.parametrize("address, requests, weight", [("/", 6, 36_000), ("/class", 8, 45_500)])
def test_the_first_load_is_light(own_site: Site, address: str, requests: int, weight: int) -> None:
    client = own_site.app.test_client()
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
    assert not re.search(r'hx-trigger="(load|every)', page)
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
