"""Who is answered when: quick requests one by one, slow ones beside them, address by address."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.visitor import open_site
from webapp.web import turns
from webapp.web.turns import QuickTurns, SlowTurn


def test_a_turn_that_is_lent_lets_another_request_pass() -> None:
    quick, passed = QuickTurns(1), threading.Event()

    def other() -> None:
        with quick.take():
            passed.set()

    with ThreadPoolExecutor() as aside, quick.take():
        aside.submit(other)
        assert not passed.wait(0.05)
        with quick.lend():
            assert passed.wait(5)
    with quick.lend():  # nothing to lend
        pass


def test_one_address_keeps_no_other_from_the_slow_turn() -> None:
    slow, order = SlowTurn(), list[str]()
    begun = threading.Barrier(2)

    def ask(address: str) -> None:
        with slow.take(address):
            order.append(address)
            threading.Event().wait(0.02)

    def first() -> None:
        with slow.take("school"):
            begun.wait()
            threading.Event().wait(0.2)

    with ThreadPoolExecutor(20) as aside:
        aside.submit(first)
        begun.wait()
        for _ in range(10):
            aside.submit(ask, "school")
        threading.Event().wait(0.05)
        aside.submit(ask, "home")
    assert "home" in order[:2]
    assert len(order) == 11
    assert not slow._waiting
    assert not slow._queues


def test_beyond_a_short_queue_the_lab_says_so_and_moves_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "QUEUE", 1)
    with open_site(tmp_path) as site, ExitStack() as held:
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
            leave.wait(10)
            return original(context)  # type: ignore[arg-type]

        monkeypatch.setattr(render, "root_render_func", waits)
        first = aside.submit(slow_visitor)
        assert inside.wait(10)
        refused = alice.get("/lab/rules")
        assert refused.status == 429
        assert "Try again in a few seconds." in refused.text
        assert alice.move(page, page.playable[0]).status == 200
        leave.set()
        assert first.result() == 200
        assert alice.get("/lab/rules").status == 200
