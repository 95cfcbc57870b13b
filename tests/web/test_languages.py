"""Each page is in its reader's language, and no cache or wait serves one reader the other's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from jinja2 import Template

from tests.support.visitor import Site, open_site
from webapp.service.refusals import Unknown
from webapp.web.translation import Environments
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
    """Catalogues of Polish, and of an Arabic that translates nothing."""
    folder = tmp_path_factory.mktemp("locales")
    for code, messages in (("pl", POLISH), ("ar", {})):
        made = Catalog(code)
        for message, translation in messages.items():
            made.add(message, translation)
        (folder / code).mkdir()
        with (folder / code / "messages.mo").open("wb") as file:
            write_mo(file, made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "LOCALES", folder)
        _forget()
        yield
    _forget()


def _forget() -> None:
    READER.set("en")
    for remembered in (language.catalogue, language._plural_of, language.examples):
        remembered.cache_clear()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path) as site:
        yield site


@pytest.mark.parametrize(
    "accepted,tag,direction",
    [
        ("", "en", "ltr"),
        ("pl", "pl", "ltr"),
        ("de, pl-PL;q=0.8, en;q=0.5", "pl", "ltr"),
        ("ar-EG", "ar", "rtl"),
        ("en-GB, pl;q=0.5", "en", "ltr"),
        ("fi", "en", "ltr"),
        ("xx", "en", "ltr"),
        (";;q=\u00fc,", "en", "ltr"),
    ],
)
def test_a_page_is_in_the_first_language_of_the_browser_that_there_is(
    site: Site, accepted: str, tag: str, direction: str
) -> None:
    page = site.visitor().get("/nothing", headers={"Accept-Language": accepted})
    (html,) = page.document.all("html")
    assert (html.get("lang"), html.get("dir")) == (tag, direction)
    assert page.response.headers["Content-Language"] == tag
    assert {"accept-language", "cookie"} <= {*page.response.vary.as_set()}
    assert ("Zagraj" in page.response.text) == (tag == "pl")


def test_the_language_that_was_chosen_comes_first_and_leads_back_to_the_page(site: Site) -> None:
    visitor, polish = site.visitor(), {"Accept-Language": "pl"}
    came_from = {"Referer": "http://localhost/class?code=ABC"}
    answer = visitor.post("/language", {"language": "en"}, headers=came_from)
    assert (answer.status, answer.location) == (303, "/class?code=ABC")
    assert visitor.get("/", headers=polish).response.headers["Content-Language"] == "en"
    for refused, shown in (("/you/name", "/you"), ("/games/A/moves", "/games/A"), ("/seeks", "/")):
        headers = {"Referer": f"http://localhost{refused}"}
        assert visitor.post("/language", {"language": "en"}, headers=headers).location == shown
    away = visitor.post(
        "/language", {"language": "pl"}, headers={"Referer": "http://localhost//evil.example"}
    )
    assert away.location == "/evil.example"
    assert visitor.post("/language", {"language": "pl"}).location == "/"
    assert visitor.post("/language", {"language": "klingon"}).status == 422
    assert visitor.get("/").response.headers["Content-Language"] == "pl"


def test_the_server_has_a_language_for_browsers_that_ask_for_none(tmp_path: Path) -> None:
    with open_site(tmp_path, language="pl") as site:
        assert site.visitor().get("/").response.headers["Content-Language"] == "pl"
        english = site.visitor().get("/", headers={"Accept-Language": "en"})
        assert english.response.headers["Content-Language"] == "en"
        names = {one.get("value") for one in english.document.all("button") if one.has("lang")}
        assert names == {"en", "pl", "ar"}


def test_what_is_remembered_is_remembered_apart_for_each_language(site: Site) -> None:
    for _time in range(2):
        for accepted, title in (("pl", "Nie znaleziono"), ("en", "Not found")):
            page = site.visitor().get("/nothing", headers={"Accept-Language": accepted})
            assert f"<h1>{title}</h1>" in page.response.text


def test_an_error_is_put_into_words_in_the_readers_language() -> None:
    error = Unknown("No player here is called {name}.", name="Ada")
    READER.set("pl")
    assert told(error) == "Nikt tutaj nie nazywa się Ada."
    assert str(error) == "No player here is called Ada."


def compiled(site: Site, code: str, source: str) -> Template:
    READER.set(code)
    templates = site.app.jinja_env
    assert isinstance(templates, Environments)
    return templates.in_language(code).from_string(source)


@pytest.mark.parametrize(
    "code,source,text",
    [
        ("en", "{% trans %}<b>{{ name }}</b> asks you.{% endtrans %}", "<b>&lt;i></b> asks you."),
        ("pl", "{% trans %}<b>{{ name }}</b> asks you.{% endtrans %}", "Pyta cię <b>&lt;i></b>."),
        (
            "pl",
            "{% trans name=3 %}\n<b>{{ name }}</b> asks\nyou.{% endtrans %}",
            "Pyta cię <b>3</b>.",
        ),
        ("pl", "{{ _('Play a game') }}", "Zagraj"),
        ("ar", "{% trans %}100% {{ name }}{% endtrans %}", "100% &lt;i>"),
    ],
)
def test_a_template_is_compiled_in_its_language(
    site: Site, code: str, source: str, text: str
) -> None:
    made = compiled(site, code, "{% autoescape true %}" + source + "{% endautoescape %}")
    assert made.render(name="<i>").replace("&gt;", ">") == text


@pytest.mark.parametrize(
    "code,forms",
    [
        ("en", {1: "1 game", 2: "2 games", 5: "5 games"}),
        ("pl", {1: "1 gra", 2: "2 gry", 5: "5 gier", 22: "22 gry", 112: "112 gier"}),
        ("ar", {1: "1 game", 2: "2 games", 11: "11 games"}),
    ],
)
def test_a_plural_has_the_form_of_its_number(site: Site, code: str, forms: dict[int, str]) -> None:
    one, more = "{{ number }} game", "{{ number }} games"
    source = f"{{% trans number=games | length %}}{one}{{% pluralize %}}{more}{{% endtrans %}}"
    made = compiled(site, code, source)
    assert {number: made.render(games=range(number)) for number in forms} == forms
