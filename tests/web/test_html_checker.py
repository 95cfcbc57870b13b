"""The checker that reads every page of these tests must itself see what is wrong."""

import pytest

from tests.support.html import accessible_name, check, parse

PAGE = "<!doctype html><title>A title</title><main><h1>A page</h1>{}</main>"
GOOD = """
<form id="play" method="post" action="/games" hx-post="/games" hx-target="#play">
<label for="name">Name</label> <input id="name" name="name">
<label><input type="radio" name="mark" value="x"> X</label>
<button aria-label="Go"><svg aria-hidden="true"><use href="#play"/></svg></button>
</form><p>1 &lt; 2 &amp; <a href="/">home</a></p>"""


def test_a_good_page_has_no_faults() -> None:
    check(parse(PAGE.format(GOOD)))


@pytest.mark.parametrize(
    "body",
    [
        "<p>never closed",
        "<p><b>crossed</p></b>",
        "</p>",
        "<div/>",
        '<p class="a" class="b">twice</p>',
        '<p id="a"></p><p id="a"></p>',
        "<h1>Another</h1>",
        "<a href='/'><button>both</button></a>",
        '<p style="color: red">red</p>',
        "<style>p{}</style>",
        "<script>go()</script>",
        '<p hx-on:click="go()">go</p>',
        '<a href="javascript:go()">go</a>',
        '<a href="https://elsewhere.example/">go</a>',
        '<script src="//cdn.example/x.js"></script>',
        '<a href="games">go</a>',
        '<label for="nothing">A</label>',
        '<p id="p">P</p><label for="p">A</label>',
        '<button form="nothing">A</button>',
        '<a href="#nothing">A</a>',
        '<p hx-get="/" hx-trigger="change from:#nothing">A</p>',
        '<p hx-post="/games">A</p>',
        '<form method="post" action="/a" hx-post="/b"></form>',
        '<input name="a" placeholder="A">',
        '<button><svg aria-hidden="true"></svg></button>',
        '<a href="/"></a>',
        "<button disabled>A</button>",
    ],
)
def test_a_fault_is_seen(body: str) -> None:
    with pytest.raises(AssertionError):
        check(parse(PAGE.format(body)))


def test_a_name_leaves_out_what_is_hidden() -> None:
    button = parse(
        '<button><svg aria-hidden="true"><title>no</title></svg>'
        '<svg role="img" aria-label="X"></svg> <b hidden>no</b>first</button>'
    )
    assert accessible_name(button.elements[0]) == "X first"
