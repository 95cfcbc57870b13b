"""How much travels: the first load, and the answer to a move."""

import gzip
import random
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.html import parse
from tests.support.visitor import FRAGMENT, Site

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


def test_the_first_load_is_light(site: Site) -> None:
    client = site.app.test_client()
    response, page = fetched(client, "/")
    weights = {"/": len(response.data)}
    for element in parse(page).walk():
        assert element.tag not in ("img", "iframe", "source", "embed")
        # What only a home screen asks for.
        later = element.get("rel") in ("manifest", "apple-touch-icon")
        if element.tag in ("script", "link") and not later:
            name = element.get("src" if element.tag == "script" else "href")
            part, text = fetched(client, name)
            assert part.status_code == 200, name
            assert not re.search(r"@import|url\((?!['\"]?data:)", text), f"{name} fetches more"
            weights[name] = len(part.data)
    assert not re.search(r'hx-trigger="(load|every)', page)
    assert len(weights) <= 7, weights
    assert sum(weights.values()) <= 36_000, weights


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
