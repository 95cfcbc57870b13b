"""How much travels: the first load, and the answer to a move."""

import gzip
import random
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import rules
from tests.support.html import parse
from tests.support.visitor import FRAGMENT, Site

# Flask-Compress leaves the closing of a static file to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

KIB = 1024
GZIP = {"Accept-Encoding": "gzip"}


def fetched(client: FlaskClient, address: str) -> TestResponse:
    response = client.get(address, headers=GZIP, buffered=True)
    assert response.status_code == 200, address
    return response


def plain(response: TestResponse) -> str:
    body = response.data
    if response.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return str(body, "utf-8")


def referenced(text: str) -> set[str]:
    """Every address that a browser fetches by itself when it shows a page."""
    found = set()
    for element in parse(text).walk():
        if element.tag in ("script", "img", "iframe", "source", "embed"):
            found.add(element.get("src"))
        if element.tag == "link":
            found.add(element.get("href"))
        for name, value in element.attributes.items():
            if name.startswith("hx-trigger") and re.search(r"\bload\b|every", value):
                found.add(element.get("hx-get"))
    return found


def test_the_first_load_is_light(site: Site) -> None:
    client = site.app.test_client()
    page = fetched(client, "/")
    weights = {"/": len(page.data)}
    for address in referenced(plain(page)):
        response = fetched(client, address)
        weights[address] = len(response.data)
        assert not re.findall(r"url\((?!['\"]?data:)", plain(response)), "it fetches more"
    assert len(weights) <= 6, weights
    assert sum(weights.values()) <= 30 * KIB, weights


def test_whatever_is_text_travels_compressed(site: Site) -> None:
    client = site.app.test_client()
    page = fetched(client, "/")
    for response in (page, *(fetched(client, one) for one in referenced(plain(page)))):
        assert "Accept-Encoding" in response.headers.get("Vary", "")
        if len(response.data) > KIB:
            assert response.headers["Content-Encoding"] == "gzip"
    assert b"<!doctype html>" in client.get("/").data


def test_the_answer_to_a_move_is_light(site: Site) -> None:
    client = site.app.test_client()
    rng = random.Random("weight")
    heaviest = 0
    for number in range(60):
        opponent = ("easy", "medium", "hard", "friend")[number % 4]
        fields: dict[str, object] = {"opponent": opponent, "mark": "xo"[number // 4 % 2]}
        answer = client.post("/games", data=fields, headers={**GZIP, **FRAGMENT})
        game = answer.headers["HX-Push-Url"]
        while True:
            heaviest = max(heaviest, len(answer.data))
            text = plain(answer)
            free = [int(cell) for cell in re.findall(r'name="cell" value="(\d)"(?! type)', text)]
            if not free:
                break
            board = "".join(
                {"X": "X", "O": "O", "empty": "."}[mark]
                for mark in re.findall(r'aria-label="(?:\w+ )?\w+, (X|O|empty)', text)
            )
            # Long games have the longest lists of moves.
            lasting = [cell for cell in free if not rules.outcome(rules.put(board, cell))]
            (version,) = re.findall(r'data-version="(\d+)"', text)
            answer = client.post(
                f"{game}/moves",
                data={"cell": rng.choice(lasting or free), "version": version},
                headers={**GZIP, **FRAGMENT},
            )
            assert answer.status_code == 200
            assert answer.headers["Content-Encoding"] == "gzip"
    assert heaviest <= 1.5 * KIB
