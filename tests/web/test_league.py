"""``GET /lab/league``: the server's functions against each other, computed once at the start."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.html import Element
from tests.support.learning import query_of
from tests.support.visitor import Site, Visitor, open_site
from webapp.analysis.league import League, league
from webapp.core.game import digits
from webapp.engines.registry import ENGINES
from webapp.words import figures

FIRST = "def best(board, mark):\n    return board.index('.')\n"
LAST = "def best(board, mark):\n    return board.rindex('.')\n"
ANY = (
    "import random\ndef best(board, mark):\n"
    "    return random.choice([cell for cell in range(9) if board[cell] == '.'])\n"
)
CLASS = {"anna": FIRST, "bob": ANY, "<i>carl": LAST, "dora": LAST}


def handed_in(folder: Path, files: dict[str, str]) -> str:
    """A folder with these files."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return str(folder)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with four functions and a file that is none."""
    folder = tmp_path_factory.mktemp("host")
    engine = handed_in(folder / "class", {**CLASS, "typo": "def best(board, mark)\n"})
    (folder / "class" / "folder.py").mkdir()
    with open_site(folder / "site", engine=engine) as site:
        yield site


def exact(site: Site) -> League:
    """The league of the server's functions, computed again."""
    engines = site.service.engines
    return league(engines[slug] for slug in engines if slug not in ENGINES)


def lines(table: Element) -> list[list[str]]:
    return [[cell.text for cell in row.elements] for row in table.all("tbody")[0].elements]


def test_the_ranking_and_the_table_have_the_exact_figures(host: Site) -> None:
    page, found = host.visitor().get("/lab/league"), exact(host)
    ranking, table = page.document.with_class("ranking")[0], page.document.with_class("heat")[0]
    for line, row in zip(lines(ranking), found.ranking, strict=True):
        place, name, points, *_, hard, easy, remarks = line
        assert (place, name, points) == (str(row.place), row.name, figures.points(row.points))
        assert hard == figures.percent(row.lost_to_hard / 2)
        assert easy == figures.percent(row.lost_to_easy / 2)
        assert remarks == ("Proved unbeatable" if row.unbeatable else "")
    assert {row.name for row in found.ranking} == CLASS.keys()
    slugs = [row.slug for row in found.ranking]
    for x, (_, *cells) in zip(slugs, lines(table), strict=True):
        for o, shown in zip(slugs, cells, strict=True):
            result = found.pairs[x, o].result if x != o else None
            won, lost = (result.x_wins, result.o_wins) if result else (None, None)
            assert shown == "".join(
                figures.whole_percent(share) for share in (won, lost) if share is not None
            )


def test_the_games_that_are_drawn_are_lost_by_those_that_they_name(host: Site) -> None:
    alice, found = host.visitor(), exact(host)
    page = alice.get("/lab/league")
    games = {digits(pair.decisive.game) for pair in found.pairs.values() if pair.decisive}
    (gallery,) = page.document.with_class("gallery")
    assert len(gallery.elements) == len(CLASS)
    for figure in gallery.elements:
        (link,) = figure.all("a")
        moves = link.get("href").partition("?")[0].removeprefix("/review/")
        assert moves in games
        assert query_of(link) == {"at": "0"}
        assert alice.get(link.get("href")).status == 200
    (courses,) = page.document.with_class("courses")
    assert {code.text for code in courses.all("code")} == games


def test_every_name_leads_to_the_page_of_the_function(host: Site) -> None:
    alice = host.visitor()
    page = alice.get("/lab/league")
    for name in CLASS:
        assert alice.get(page.links[name]).document.all("h1")[0].text == name


def test_a_file_that_is_left_out_is_listed_with_the_reason_and_no_folder(host: Site) -> None:
    page = host.visitor().get("/lab/league")
    (absent,) = page.document.with_class("absent")
    names = [one.text for one in absent.all("dt")]
    whys = dict(zip(names, [one.text for one in absent.all("dd")], strict=True))
    assert names == ["folder.py", "typo.py"]
    assert "typo.py, line 1" in whys["typo.py"]
    assert "Is a directory: 'folder.py'" in whys["folder.py"]
    assert str(host.settings.data.parent) not in page.text


# --- where there is none ------------------------------------------------------------------------


def check_none(visitor: Visitor) -> None:
    page = visitor.get("/lab/league")
    assert page.status == 404
    assert "This server has no league" in page.document.text
    assert "/lab/league" not in visitor.get("/lab").links.values()


def test_without_functions_there_is_no_league(alice: Visitor) -> None:
    check_none(alice)


def test_one_function_makes_no_league_not_even_where_there_was_one_before(tmp_path: Path) -> None:
    folder, site = handed_in(tmp_path / "class", {"anna": FIRST, "bob": LAST}), tmp_path / "site"
    with open_site(site, engine=folder) as two:
        assert two.visitor().get("/lab").links["the league"] == "/lab/league"
    with open_site(site, engine=f"{folder}/anna.py") as one:
        check_none(one.visitor())


# --- beside the engines -------------------------------------------------------------------------


@pytest.mark.parametrize("number, shown", [(6, 16), (7, 10)])
def test_the_table_of_all_engines_has_room_for_six_functions(
    tmp_path: Path, number: int, shown: int
) -> None:
    folder = handed_in(tmp_path / "class", {f"pupil{at}": FIRST for at in range(number)})
    with open_site(tmp_path / "site", engine=folder) as site:
        page = site.visitor().get("/lab")
        (table,) = page.document.with_class("heat")
        assert len(lines(table)) == shown
        # A pair is shown all the same.
        pair = site.visitor().get("/lab?x=pupil0.py:best&o=hard").the("pair")
        assert "pupil0 as X against Hard as O" in pair.text


def test_engines_stand_in_groups_and_the_functions_of_the_class_in_theirs(host: Site) -> None:
    page = host.visitor().get("/opponents")
    *_, cards = page.document.with_class("cards")
    assert [card.all("h3")[0].text for card in cards.elements] == sorted(CLASS)
    assert page.document.all("h2")[-1].text == "Functions of the class"
