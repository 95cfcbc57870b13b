"""Addresses that cannot be: refused with a sentence that leads on."""

import re
from itertools import product
from urllib.parse import quote

import pytest

from tests.support.visitor import Visitor

NO_CELLS = "Write the game as the cells"
NO_RULE = "There is no rule "
SENTENCE = "."
NO_GAME = "This game does not exist"
NOTHING = "There is no game or page at this address."

NOT_THERE = [
    ("/review/44", "This game is not possible. Cell 4 already holds X."),
    ("/review/9", "This game is not possible. There is no cell 9; cells are numbered 0 to 8."),
    ("/review/031425", "This game is not possible. The game is over."),
    (f"/review/40281{'3' * 5000}", "This game is not possible. Cell 3 already holds O."),
    ("/review/031425?at=7&values=2&mark=z", "This game is not possible."),
    *((f"/review/{bad}", NO_CELLS) for bad in ("4x", "-1", "4%200", "٤", "²", "%00", "%FF%FE")),
    *((f"/review/{bad}", NO_CELLS) for bad in ("<b>", quote("<b>"))),
    *((f"/review/{bad}", NOTHING) for bad in ("40281/x", "")),
    *((f"/games/{bad}", NO_GAME) for bad in ("%00", "%FF%FE", "٣", "a" * 5000, "'%20OR%20''='")),
    *((f"/games/{bad}", NOTHING) for bad in ("x/y", "..%2f..%2fetc", "x/moves/y")),
    *((f"/{bad}", NOTHING) for bad in ("games/<script>alert(1)</script>", "nothing", "{{7*7}}")),
    *((f"/static/{bad}", NOTHING) for bad in ("nothing.css", "../pyproject.toml")),
    *((f"/opponents/{bad}", SENTENCE) for bad in ("nobody", "friend", "%00", "mine.py:first")),
    *((f"/opponents/{bad}", SENTENCE) for bad in ("easy/x", "rules:<b>")),
    ("/lab/nothing", NOTHING),
    ("/lab/league", "This server has no league"),
]
NO_NAMES = ["", "nobody", "friend", "mine.py:first", "rules:win,win", "rules:<b>"]
BAD = [
    *product(["/review/40281"], ["at"], ["-1", "6", "9" * 5000, "", "٣", "1&at=1"], [SENTENCE]),
    *product(["/review/40281"], ["values"], ["", "0", "2", "1&values=1"], [SENTENCE]),
    *product(["/review/40281"], ["opponent"], NO_NAMES[3:], [SENTENCE]),
    ("/review/40281", "mark", "X", SENTENCE),
    ("/lab/experiment", "games", "0", "Games must be a number from 1 to 10,000."),
    *product(
        ["/lab/experiment"], ["games"], ["10001", "-1", "1e3", "٣", "", "5&games=5"], [SENTENCE]
    ),
    *product(
        ["/lab/experiment"], ["seed"], ["", "a b", "<b>", "$(ls)", "a" * 41, "a\n"], [SENTENCE]
    ),
    *product(["/lab", "/lab/experiment"], "xo", [*NO_NAMES, "easy&x=easy&o=easy"], [SENTENCE]),
    ("/lab/rules", "list", "", "A list needs at least one rule: win, block"),
    ("/lab/rules", "list", "win&list=block", SENTENCE),
    ("/lab/rules", "list", "win&from=win&from=block", SENTENCE),
    ("/lab/rules", "list", "win,block,win", "The rule 'win' is in the list twice."),
    *product(
        ["/lab/rules"], ["list", "list=win&from"],
        ["win,deep", "WIN", "win,", "rules:win", "wіn", "\x00", "<b>", "a" * 3000], [NO_RULE],
    ),
]  # fmt: skip


@pytest.mark.parametrize("fragment", [False, True])
@pytest.mark.parametrize(
    "address,status,why",
    [
        *((address, 404, why) for address, why in NOT_THERE),
        *((f"{path}?{name}={quote(bad, safe='&=')}", 422, why) for path, name, bad, why in BAD),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence_that_leads_on(
    alice: Visitor, *, address: str, status: int, why: str, fragment: bool
) -> None:
    page = alice.get(address, fragment=fragment)
    assert (page.status, page.is_fragment) == (status, False)
    sentence = page.document.all("main")[0].all("p")[0].text
    assert re.fullmatch(r"[A-Z].+", sentence)
    assert why in sentence
    assert not any(one in page.text for one in ("<b>", "alert(1)", ">49<"))
    assert page.links["Play a game"] == "/"
    path, *_ = address.split("?")
    back = path if path in ("/lab/experiment", "/lab/rules") else "/lab"
    assert page.links.get("Back to the lab") == (back if path.startswith("/lab") else None)
    assert (page.headers.get("HX-Retarget") == "body") is fragment
