"""Pages in other languages than English: each reads their own, and a choice keeps the page."""

from playwright.sync_api import expect

from tests.e2e.pair import sit_down
from tests.e2e.tab import Visitor
from webapp.words import isolated
from webapp.words.language import READER, _


def said(code: str, message: str, **values: str) -> str:
    """A message in a language, with names set apart where they are written in other letters."""
    READER.set(code)
    try:
        named = {place: value and isolated(value) for place, value in values.items()}
        return _(message).format(**named)
    finally:
        READER.set("en")


def test_an_arab_and_a_pole_play_and_each_reads_their_own_language(
    host: object, come: Visitor
) -> None:
    arab, pole = come(locale="ar-EG"), come(locale="pl-PL")
    wall = come(locale="de-DE").open("/class/board")
    code_of = {arab: "ar", pole: "pl"}
    sit_down(arab, pole)
    names = {one: one.name for one in code_of}
    expect(wall.items(said("de", "Games in progress"))).to_have_count(1)
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        mover, other = (pole, arab) if ply % 2 else (arab, pole)
        thinks = said(code_of[other], "{name} is thinking", name=names[mover])
        other.expect_turn(thinks)
        mover.expect_turn(said(code_of[mover], "Your turn"))
        mover.play(cell)
    expect(arab.heading).to_contain_text(said("ar", "You win: {lines}", lines=""))
    wins = said("pl", "{winner} wins: {lines}", winner=names[arab], lines="")
    expect(pole.heading).to_contain_text(wins)
    for one, code in code_of.items():
        one.open("/review/03142?at=1").page.locator("#step-later").click()
        expect(one.page.locator("#review")).to_have_attribute("data-at", "2")
        expect(one.page.locator("#step-later")).to_have_text(said(code, "Next"))


def test_a_choice_of_language_keeps_the_page_and_what_was_typed_or_chosen(
    visitor: Visitor,
) -> None:
    alice = visitor().open("/you")
    name = alice.page.locator("#name")
    alice.page.locator(".account summary").click()
    for language in ("pl", "de"):
        name.fill("A" * 30)
        alice.page.locator(f".languages [lang={language}]").click()
        expect(alice.page.locator("html")).to_have_attribute("lang", language)
        expect(name).to_have_value("A" * 30)
        assert alice.path == "/you"
        # A refusal stands where only forms are sent.
        alice.noise.expect_refusal(422)
        with alice.page.expect_response("**/you/name"):
            name.evaluate("(field) => { field.form.submit(); }")
        alice.page.wait_for_load_state()
        expect(alice.refusal).to_be_visible()
    alice.open().choose(opponent="hard", mark="o")
    alice.page.locator(".languages [lang=ar]").click()
    expect(alice.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(alice.opponent).to_have_value("hard")
    expect(alice.mark("o")).to_be_checked()
    alice.open().play(4)
    path = alice.path
    alice.page.locator(".languages [lang=es]").click()
    expect(alice.heading).to_have_text(said("es", "Your turn"))
    assert alice.path == path
