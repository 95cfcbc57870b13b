"""A tournament led by commands, from its making to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refusal
from tests.support.people import name_of
from tests.support.visitor import Site, open_site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path, seed="tests") as site:
        yield site


def test_a_tournament_is_made_started_shown_and_ended(run: Run, site: Site) -> None:
    at = ("--data", str(site.settings.data))
    assert refusal(run("tournament", "show", *at)) == "there has been no tournament yet."
    status, out, err = run("tournament", "new", "--format", "swiss", "--rounds", "3", *at)
    assert (status, err) == (0, "")
    (address,) = re.findall(r"/tournaments/[\w-]{22}", out)
    assert "already" in refusal(run("tournament", "new", *at))
    assert refusal(run("tournament", "start", *at)) == "A tournament needs two players at least."
    alice, bob = site.visitor(), site.visitor()
    for who in (alice, bob):
        assert who.post(f"{address}/join").status == 303
    assert run("tournament", "start", *at)[0] == 0
    assert alice.get(f"{address}/play").location == bob.get(f"{address}/play").location
    assert "still going on" in refusal(run("tournament", "next", *at))
    status, out, _ = run("tournament", "show", *at)
    assert status == 0
    assert all(name_of(who) in out for who in (alice, bob))
    status, out, _ = run("tournament", "end", *at, answer="n\n")
    assert (status != 0, "?" in out) == (True, True)
    assert site.visitor().get(address).document.text.count("Swiss, 3 rounds")
    assert run("tournament", "end", "--yes", *at)[0] == 0
    assert "The tournament is over." in site.visitor().get(address).document.text
