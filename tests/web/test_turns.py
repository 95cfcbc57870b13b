"""Who is answered when: quick requests one by one, slow ones beside them, address by address."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE, until
from tests.support.visitor import open_site
from webapp.web import turns
from webapp.web.turns import Queues, QuickTurns


def test_a_turn_that_is_lent_lets_another_request_pass() -> None:
    quick, passed = QuickTurns(1), threading.Event()

    def other() -> None:
        with quick.take():
            passed.set()

    with ThreadPoolExecutor() as aside, quick.take():
        aside.submit(other)
        assert not passed.wait(0.05)
        with quick.lend():
            assert passed.wait(PATIENCE)
    with quick.lend():  # nothing to lend
        pass


def test_many_requests_of_one_visitor_keep_no_other_from_the_turn() -> None:
    queues, turn = Queues(), threading.Lock()
    leave, inside, most = threading.Event(), Counter[str](), Counter[str]()

    def ask(visitor: str) -> None:
        with queues.first(visitor, 32):
            inside[visitor] += 1
            most[visitor] = max(most[visitor], inside[visitor])
            with turn:
                leave.wait(PATIENCE)
            inside[visitor] -= 1

    with ThreadPoolExecutor(20) as aside:
        asked = [aside.submit(ask, visitor) for visitor in (*["flood"] * 11, "calm")]
        until(
            lambda: (
                (inside, queues._waiting) == ({"flood": 1, "calm": 1}, {"flood": 11, "calm": 1})
            ),
            "one of each should be where the turn is next",
        )
        leave.set()
    assert most == {"flood": 1, "calm": 1}
    assert [one.exception() for one in asked] == [None] * 12
    assert not queues._waiting
    assert not queues._queues


def test_beyond_a_short_queue_the_lab_says_so_and_moves_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "QUEUE", 1)
    with open_site(tmp_path, limits="on") as site, ExitStack() as held:
        alice = site.visitor()
        inside, leave = threading.Event(), threading.Event()
        page = alice.start("easy", "x", cell=4)

        def slow_visitor() -> int:
            return site.visitor().get("/lab").status

        aside = held.enter_context(ThreadPoolExecutor())
        render = site.app.jinja_env.get_template("lab/lab.html")
        original = render.root_render_func

        def waits(context: object) -> object:
            inside.set()
            leave.wait(PATIENCE)
            return original(context)  # type: ignore[arg-type]

        monkeypatch.setattr(render, "root_render_func", waits)
        first = aside.submit(slow_visitor)
        assert inside.wait(PATIENCE)
        refused = alice.get("/lab/rules")
        assert refused.status == 429
        assert "Try again in a few seconds." in refused.text
        assert alice.move(page, page.playable[0]).status == 200
        leave.set()
        assert first.result() == 200
        assert alice.get("/lab/rules").status == 200
