"""The checker that reads every page of these tests must itself see what is wrong."""

import pytest

from tests.support.html import check, parse

PAGE = "<!doctype html><title>A title</title><main><h1>A page</h1>{}</main>"
BAD = (
    *("<p>never closed", "<p><b>crossed</p></b>", "</p>"), '<p class="a" class="b">twice</p>',
    '<p id="a"></p><p id="a"></p>',
    *('<a href="https://elsewhere.example/">go</a>', '<a href="games">go</a>'),
    '<label for="nothing">A</label>', '<p id="p">P</p><label for="p">A</label>',
    *('<button form="nothing">A</button>', '<a href="#nothing">A</a>', '<a href="/"></a>'),
    '<p hx-get="/" hx-trigger="change from:#nothing">A</p>',
    '<form method="post" action="/a" hx-post="/b"></form>', '<input name="a" placeholder="A">',
    '<button><svg aria-hidden="true"></svg></button>',
)  # fmt: skip


def test_a_fault_is_seen() -> None:
    check(parse(PAGE.format("<p>1 &lt; 2</p>")))
    for body in BAD:
        with pytest.raises(AssertionError):
            check(parse(PAGE.format(body)))
