"""The checker that reads every page of these tests must itself see what is wrong."""

import pytest

from tests.support.html import Malformed, accessible_name, check, faults, parse

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A title</title>
<meta name="viewport" content="width=device-width"></head>
<body><main><h1>A page</h1>{}</main></body></html>"""


def test_a_good_page_has_no_faults() -> None:
    body = """
        <form id="play" method="post" action="/games" hx-post="/games" hx-target="#play">
        <label for="name">Name</label> <input id="name" name="name">
        <label><input type="radio" name="mark" value="x"> X</label>
        <button aria-label="Go"><svg aria-hidden="true"><use href="#play"/></svg></button>
        </form><p>1 &lt; 2 &amp; <a href="/">home</a></p>"""
    assert faults(parse(PAGE.format(body))) == []


@pytest.mark.parametrize(
    "text",
    [
        "<p>never closed",
        "<p><b>crossed</p></b>",
        "</p>",
        "<br></br>",
        "<div/>",
        '<p class="a" class="b">twice</p>',
        "<p>1 < 2</p>",
        "<p>this & that</p>",
        "<p>&nosuch;</p>",
        '<a href="/?a=1&b=2">raw</a>',
        "<p>the end is <",
        "<!-- a comment -->",
        "<p>late</p><!doctype html>",
        "<?php ?>",
    ],
)
def test_a_text_that_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


@pytest.mark.parametrize(
    "body,fault",
    [
        ('<p id="a"></p><p id="a"></p>', "the id 'a' is there 2 times"),
        ("<h1>Another</h1>", "not exactly one <h1>"),
        ("<h3>Too deep</h3>", "a level of headings is left out"),
        ("<p><div>block</div></p>", "a block inside"),
        ("<a href='/'><button>both</button></a>", "a control inside a control"),
        ("<ul><p>no item</p></ul>", "may not contain ['p']"),
        ("<li>alone</li>", "belongs into"),
        ("<fieldset><p>first</p></fieldset>", "does not begin with a legend"),
        ('<p style="color: red">red</p>', "an inline style"),
        ("<style>p{}</style>", "an inline style"),
        ("<script>go()</script>", "an inline script"),
        ('<p onclick="go()">go</p>', "an inline script: onclick"),
        ('<p hx-on:click="go()">go</p>', "an inline script: hx-on:click"),
        ('<a href="javascript:go()">go</a>', "a script as the value of href"),
        ('<a href="https://elsewhere.example/">go</a>', "href leads to another host"),
        ('<script src="//cdn.example/x.js"></script>', "src leads to another host"),
        ('<a href="games">go</a>', "href depends on where the page is"),
        ('<label for="nothing">A</label>', "for refers to 'nothing'"),
        ('<p id="p">P</p><label for="p">A</label>', "which is no control"),
        ('<button form="nothing">A</button>', "form refers to 'nothing'"),
        ('<a href="#nothing">A</a>', "href refers to 'nothing'"),
        ('<p aria-labelledby="nothing">A</p>', "aria-labelledby refers to 'nothing'"),
        ('<p hx-get="/" hx-target="#nothing">A</p>', "hx-target refers to 'nothing'"),
        ('<p hx-get="/" hx-trigger="change from:#nothing">A</p>', "hx-trigger refers to"),
        ('<p hx-get="/" hx-include="#nothing">A</p>', "hx-include refers to 'nothing'"),
        ('<p hx-get="/" hx-sync="#nothing:drop">A</p>', "hx-sync refers to 'nothing'"),
        ('<p hx-get="/" hx-swap="sideways">A</p>', "swaps in a way"),
        ('<p hx-post="/games">A</p>', "does nothing without scripts"),
        ('<form method="post" action="/a" hx-post="/b"></form>', "goes elsewhere with htmx"),
        ('<input name="a">', "a control without a label"),
        ('<input name="a" placeholder="A">', "a control without a label"),
        ("<button></button>", "has no text"),
        ('<button><svg aria-hidden="true"></svg></button>', "has no text"),
        ('<a href="/"></a>', "has no text"),
        ("<svg></svg>", "a drawing that is neither named nor hidden"),
        ('<span role="img"></span>', "has a role, but no name"),
        ('<span aria-label="A">B</span>', "nobody hears"),
        ('<button aria-disabled="yes">A</button>', "neither true nor false"),
        ("<button disabled>A</button>", "loses the focus"),
        ('<p tabindex="3">A</p>', "jumps the order"),
        ('<p role="buton">A</p>', "a role that the tests do not know"),
    ],
)
def test_a_fault_is_seen(body: str, fault: str) -> None:
    found = faults(parse(PAGE.format(body)))
    assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    "before,after,fault",
    [
        (' lang="en"', "", "does not say its language"),
        ('<meta charset="utf-8">', "", "does not begin with the encoding"),
        ("A title", "", "the head has no title"),
        ('name="viewport"', 'name="other"', "nothing adapts the page to a phone"),
    ],
)
def test_a_fault_of_the_head_is_seen(before: str, after: str, fault: str) -> None:
    found = faults(parse(PAGE.format("").replace(before, after)))
    assert any(fault in one for one in found), found


def test_a_page_with_faults_is_refused_with_all_of_them() -> None:
    with pytest.raises(AssertionError, match=r"(?s)a level of headings.*has no text"):
        check(parse(PAGE.format("<h3></h3>")))


def test_a_name_leaves_out_what_is_hidden() -> None:
    button = parse(
        '<button><svg aria-hidden="true"><title>no</title></svg>'
        '<svg role="img" aria-label="X"></svg> <b hidden>no</b>first</button>'
    )
    assert accessible_name(button.elements[0]) == "X first"
