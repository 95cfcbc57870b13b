"""Which requests wait before their view is asked, who is here by them, and what they get then."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.page import check_headers
from tests.support.patience import PATIENCE, until
from tests.support.people import player_of, sit_down
from tests.support.tabs import opened
from tests.support.visitor import FRAGMENT, Site, Visitor, open_site
from webapp.classroom import Wall
from webapp.live import Live
from webapp.live.presence import HIDDEN_FOR_S, PRESENT_FOR_S
from webapp.live.topics import Topics, Visit, Watch, Woken
from webapp.service import teacher as acts
from webapp.service import tournaments
from webapp.service.key import HostKey
from webapp.store import topics
from webapp.tournament.event import Format, Opening

BASE = "/school"
HIDDEN = {**FRAGMENT, "Page-Hidden": "true"}
AT_ONCE = {**FRAGMENT, "At-Once": "true"}


class Waits:
    """What becomes of requests that wait: each ends as the next of these says, and then at once."""

    def __init__(self, live: Topics) -> None:
        self.ends = list[Woken]()
        self.waited = list[tuple[tuple[str, ...], Visit]]()
        live.may_wait = True

    def wait(self, watch: Watch, visit: Visit, _longest_s: float) -> Woken:
        self.waited.append((watch.topics, visit))
        return self.ends.pop(0) if self.ends else Woken.NOTHING


@pytest.fixture(params=["", BASE])
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site with limits, below a path too."""
    with open_site(tmp_path, seed="tests", limits="on", base_path=request.param) as site:
        yield site


@pytest.fixture
def base(site: Site) -> str:
    return site.settings.base_path


@pytest.fixture
def live(site: Site) -> Live:
    found: Live = site.service.live
    return found


@pytest.fixture
def waits(live: Live, monkeypatch: pytest.MonkeyPatch) -> Waits:
    waits = Waits(live.topics)
    monkeypatch.setattr(live.topics, "wait", waits.wait)
    return waits


@pytest.fixture
def alice(site: Site, base: str) -> Visitor:
    """A player whom this process has answered before, and who has a name."""
    visitor = site.visitor()
    for _ in range(2):
        visitor.get(f"{base}/class")
    return visitor


def asks(who: Visitor, address: str) -> str:
    """The address at which an open page asks for news."""
    tab = opened(who, address)
    assert tab
    return tab.address


def send(
    who: Visitor, address: str, headers: Mapping[str, str] = FRAGMENT, method: str = "GET"
) -> tuple[int, str | None]:
    """Send a request; return the status, and whether it says that it has waited."""
    answer = who._client.open(address, method=method, headers=headers, buffered=True)
    check_headers(answer)
    return answer.status_code, answer.headers.get("Waited")


# --- which requests wait --------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/class", "/class/board", "/calls?at=x", "/"])
def test_an_open_page_waits_for_its_topics_and_no_view_is_asked_for_nothing(
    *,
    site: Site,
    alice: Visitor,
    base: str,
    waits: Waits,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    alice.post(f"{base}/challenges", {"mark": "x"})  # of which the strip waits to hear
    address = asks(alice, f"{base}{path}")
    monkeypatch.setattr(site.app, "view_functions", {})
    assert send(alice, address) == (204, "yes")
    ((watched, visit),) = waits.waited
    assert watched
    alone = "alone=1" in address or path == "/class/board"
    assert visit == Visit(player_of(alice), "127.0.0.1/32", alone=alone)


def test_the_view_is_asked_again_when_a_topic_changes_and_waits_on_where_the_page_shows_it(
    alice: Visitor, base: str, waits: Waits
) -> None:
    address = asks(alice, f"{base}/class")
    waits.ends = [Woken.CHANGED, Woken.CHANGED, Woken.NOTHING]
    assert send(alice, address) == (204, "yes")
    assert len(waits.waited) == 3, "the view says twice that the page shows all that there is"
    waits.ends = [Woken.CHANGED]
    stale = address.replace("since=", "since=0")
    assert send(alice, stale) == (200, "yes")


def test_a_request_that_cannot_wait_asks_its_view_only_where_the_page_may_be_out_of_date(
    *, site: Site, alice: Visitor, base: str, live: Live, waits: Waits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    address = asks(alice, f"{base}/class")
    waits.ends = [Woken.AT_ONCE, Woken.AT_ONCE]
    views = dict(site.app.view_functions)
    monkeypatch.setattr(site.app, "view_functions", {})
    assert send(alice, address) == (204, None)
    monkeypatch.setattr(site.app, "view_functions", views)
    live.topics.publish([topics.CLASS])
    assert send(alice, address.replace("since=", "since=0")) == (200, None)
    assert len(waits.waited) == 2


@pytest.mark.parametrize("token", ["~unknown1", "~", "", f"~{'x' * 2000}"])
def test_with_an_unknown_token_the_view_is_asked_once_and_then_the_request_waits(
    alice: Visitor, base: str, live: Live, waits: Waits, token: str
) -> None:
    address = asks(alice, f"{base}/class")
    stamp, _, _ = address.partition("~")
    assert send(alice, f"{stamp}{token}") == (204, "yes")
    ((watched, _),) = waits.waited
    assert topics.CLASS in watched
    assert live.topics.recall(token.removeprefix("~")) is None, "no one else waits by it"
    assert send(alice, f"{stamp.partition('since=')[0]}since=0{token}") == (200, "yes")


@pytest.mark.parametrize(
    "method,headers",
    [("GET", {}), ("GET", HIDDEN), ("GET", AT_ONCE), ("HEAD", FRAGMENT), ("POST", FRAGMENT)],
)
def test_a_page_that_is_hidden_or_saw_an_error_and_all_other_requests_do_not_wait(
    *, alice: Visitor, base: str, waits: Waits, method: str, headers: Mapping[str, str]
) -> None:
    address = asks(alice, f"{base}/class")
    status, waited = send(alice, address, headers, method)
    assert (status < 500, waited, waits.waited) == (True, None, [])


@pytest.mark.parametrize("address", ["/class", "/class?nonsince=1", "/games/x?since=", "/learn"])
def test_an_address_that_names_no_page_to_keep_up_to_date_does_not_wait(
    alice: Visitor, base: str, waits: Waits, address: str
) -> None:
    status, _ = send(alice, f"{base}{address}")
    assert (status < 500, waits.waited) == (True, [])


@pytest.mark.parametrize("cookie", [None, "x", "c" * 43])
def test_a_player_whom_this_process_has_not_answered_before_does_not_wait(
    *, site: Site, alice: Visitor, base: str, live: Live, waits: Waits, cookie: str | None
) -> None:
    address, bob = asks(alice, f"{base}/class/board"), site.visitor()
    if cookie:
        bob.set_cookie(cookie)
    before = live.presence.here()
    assert send(bob, address)[1] is None
    assert (waits.waited, live.presence.here()) == ([], before)
    if cookie and len(cookie) == 43:
        send(bob, address)
        assert len(waits.waited) == 1, "it is known from its first answer on"


def test_the_hosts_page_asks_its_view_in_any_case(site: Site, base: str, waits: Waits) -> None:
    key = HostKey(site.settings)
    key.ensure()
    host = site.visitor()
    for _ in range(2):
        host.get(f"{base}/learn")
    assert host.post(f"{base}/host", {"key": key.read()}).status == 303
    address = asks(host, f"{base}/host")
    assert send(host, address) == (204, "yes")
    key.renew()
    answer = host._client.get(address, headers=FRAGMENT)
    assert answer.headers["HX-Redirect"] == f"{base}/host"
    assert len(waits.waited) == 2


# --- who is here by a request ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers,seconds",
    [
        (FRAGMENT, PRESENT_FOR_S),
        (AT_ONCE, PRESENT_FOR_S),
        (HIDDEN, HIDDEN_FOR_S),
        ({}, HIDDEN_FOR_S),
    ],
)
def test_anyone_whose_page_asks_is_here(
    *, alice: Visitor, base: str, live: Live, waits: Waits, headers: Mapping[str, str],
    seconds: float, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(live.presence, "_seen", {})
    monkeypatch.setattr(live.presence, "now", lambda: 0.0)
    for address in ("/?since=0.0.0.0&alone=1", "/learn", "/class/board?since=0", "/class"):
        send(alice, f"{base}{address}", headers)
    assert not live.presence.here(), "no one else plays there, it is the wall, or no page asks"
    send(alice, f"{base}/class?since=0", headers)
    ((player, seen),) = live.presence._seen.items()
    assert (player, seen.until) == (player_of(alice), seconds)


def test_a_page_that_loads_itself_again_counts(
    alice: Visitor, base: str, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.presence, "_seen", {})
    send(alice, f"{base}/learn?here=1", {})
    assert live.presence.here() == {player_of(alice)}


# --- in earnest -----------------------------------------------------------------------------------


def test_a_move_is_told_to_the_page_that_waits_and_ends_the_movers_own_wait(
    own_site: Site, aside: ThreadPoolExecutor
) -> None:
    ada, ben = own_site.visitor(), own_site.visitor()
    pair, live = sit_down(ada, ben), own_site.service.live.topics
    pages = {who: asks(who, pair.address) for who in (ada, ben)}
    live.open(waits=True)
    try:
        told: list[Future[tuple[int, str | None]]] = [
            aside.submit(send, who, address) for who, address in pages.items()
        ]
        until(lambda: len(live.waiting()) == 2)
        pair.act(ada, "moves", cell=4)
        assert [one.result(PATIENCE) for one in told] == [(204, "yes"), (200, "yes")]
    finally:
        live.open(waits=False)


STAMPS = """
import sys
from pathlib import Path
from tests.support.tabs import opened
from tests.support.visitor import open_site
with open_site(Path(sys.argv[1]), seed="tests") as site:
    who = site.visitor()
    who.set_cookie(sys.argv[2])
    print(*(opened(who, address).stamp for address in sys.argv[3:]))
"""


def test_a_stamp_is_the_same_in_every_process_and_after_a_restart(tmp_path: Path) -> None:
    with open_site(tmp_path, seed="tests") as site:
        ada, ben = site.visitor(), site.visitor()
        pair = sit_down(ada, ben)
        pair.play("04")
        service = site.service
        id_ = tournaments.create(service, Format.SWISS, Opening.EMPTY, 15, 2)
        ada.post(f"/tournaments/{id_}/join")
        acts.show(site.service, Wall(moves="402", at=1))
        pages = (pair.address, "/class", "/class/board", "/calls", f"/tournaments/{id_}")
        service.live.presence._seen.clear()
        here = [tab.stamp for address in pages if (tab := opened(ada, address))]
    found = subprocess.run(
        [sys.executable, "-c", STAMPS, str(tmp_path), ada.cookie() or "", *pages],
        env={**os.environ, "PYTHONHASHSEED": "2"},
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE,
    )
    assert found.stdout.split() == here
    assert len({*here}) == len(pages)
