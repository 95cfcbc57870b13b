"""Each page is in its reader's language, and no cache or wait serves one reader the other's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.support.visitor import Site, Visitor, open_site
from webapp.service.refusals import Unknown
from webapp.words import language, told
from webapp.words.language import READER

POLISH: dict[str | tuple[str, ...], str | tuple[str, ...]] = {
    "Play a game": "Zagraj",
    "Not found": "Nie znaleziono",
    "No player here is called {name}.": "Nikt tutaj nie nazywa się {name}.",
    "<b>{name}</b> asks you.": "Pyta cię <b>{name}</b>.",
    ("{number} game", "{number} games"): ("{number} gra", "{number} gry", "{number} gier"),
}


@pytest.fixture(scope="module", autouse=True)
def translated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Catalogues of Polish, and of an Arabic and a Turkish that translate nothing."""
    folder = tmp_path_factory.mktemp("locales")
    for code, messages in (("pl", POLISH), ("ar", {}), ("tr", {})):
        made = Catalog(code)
        for message, translation in messages.items():
            made.add(message, translation)
        (folder / code).mkdir()
        with (folder / code / "messages.mo").open("wb") as file:
            write_mo(file, made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "LOCALES", folder)
        language.catalogue.cache_clear()
        yield
    READER.set("en")
    language.catalogue.cache_clear()


def test_a_chosen_language_comes_first_and_leads_back_to_the_page(alice: Visitor) -> None:
    polish = {"Accept-Language": "pl"}
    for came_from, shown in (
        ({"Referer": "http://localhost/class?code=ABC"}, "/class?code=ABC"),
        ({"Referer": "http://localhost/games/A/moves"}, "/"),
        ({"Referer": "http://localhost//evil.example"}, "/"),
        ({"Referer": "http://localhost//class"}, "/class"),
        ({"Referer": "http://["}, "/"), ({}, "/"),
    ):  # fmt: skip
        answer = alice.post("/language", {"language": "en"}, headers=came_from)
        assert (answer.status, answer.location) == (303, shown)
    page = alice.get("/", headers=polish)
    assert page.response.headers["Content-Language"] == "en"
    alice.post("/language", {"language": "pl"})
    assert alice.get("/").response.headers["Content-Language"] == "pl"
    assert alice.post("/language", {"language": "fr"}).status == 422, "it has no catalogue"
    READER.set("pl")
    error = Unknown("No player here is called {name}.", name="Ada")
    assert told(error) == "Nikt tutaj nie nazywa się Ada."


def test_the_server_has_a_language_for_browsers_that_ask_for_none(tmp_path: Path) -> None:
    with open_site(tmp_path, language="pl") as site:
        assert site.visitor().get("/").response.headers["Content-Language"] == "pl"
        english = site.visitor().get("/", headers={"Accept-Language": "en"})
        assert english.response.headers["Content-Language"] == "en"
        names = {one.get("value") for one in english.document.all("option") if one.has("lang")}
        assert names == {"en", "pl", "tr", "ar"}


ACCEPTED = {
    "": ("en", "ltr"), "de, pl-PL;q=0.8, en;q=0.5": ("pl", "ltr"), "ar-EG": ("ar", "rtl"),
    "en-GB, pl;q=0.5": ("en", "ltr"), ";;q=\u00fc,": ("en", "ltr"),
}  # fmt: skip


def test_a_page_is_in_the_first_language_of_the_browser_that_there_is(site: Site) -> None:
    for accepted, (tag, direction) in [*ACCEPTED.items()] * 2:  # what is remembered is so apart
        page = site.visitor().get("/nothing", headers={"Accept-Language": accepted})
        (html,) = page.document.all("html")
        assert (html.get("lang"), html.get("dir")) == (tag, direction), accepted
        assert page.response.headers["Content-Language"] == tag
        assert {"accept-language", "cookie"} <= {*page.response.vary.as_set()}
        assert ("Zagraj" in page.response.text) == (tag == "pl")
        title = "Nie znaleziono" if tag == "pl" else "Not found"
        assert f"<h1>{title}</h1>" in page.response.text


ASKS = "{% trans %}<b>{{ name }}</b> asks you.{% endtrans %}"
RENDERED = [
    ("en", ASKS, "<b>&lt;i></b> asks you."), ("pl", ASKS, "Pyta cię <b>&lt;i></b>."),
    ("pl", "{% trans name=3 %}\n<b>{{ name }}</b> asks\nyou.{% endtrans %}", "Pyta cię <b>3</b>."),
    ("pl", "{{ _('Play a game') }}", "Zagraj"),
    ("ar", "{% trans %}100% {{ name }}{% endtrans %}", "100% &lt;i>"),
]  # fmt: skip
PLURALS = {
    "en": {1: "1 game", 2: "2 games", 5: "5 games"},
    "pl": {1: "1 gra", 2: "2 gry", 5: "5 gier", 22: "22 gry", 112: "112 gier"},
    "ar": {1: "1 game", 2: "2 games", 11: "11 games"},
    "tr": {1: "1 game", 2: "2 games"},
}


def test_a_template_is_in_the_readers_language_and_so_are_its_plurals(site: Site) -> None:
    made = site.app.jinja_env.from_string
    for code, source, text in RENDERED:
        READER.set(code)
        template = made("{% autoescape true %}" + source + "{% endautoescape %}")
        assert template.render(name="<i>").replace("&gt;", ">") == text
    one, more = "{{ number }} game", "{{ number }} games"
    source = f"{{% trans number=games | length %}}{one}{{% pluralize %}}{more}{{% endtrans %}}"
    for code, forms in PLURALS.items():
        READER.set(code)
        assert {n: made(source).render(games=range(n)) for n in forms} == forms
