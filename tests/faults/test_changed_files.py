"""Files that an upgrade has changed, while the server of before still runs."""

import re
import shutil
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.support.serving import served

ROOT = Path(__file__).resolve().parents[2]

PAGES = (
    *("/", "/class", "/class/board", "/join/AAAA", "/you", "/privacy", "/learn", "/review/40281"),
    *("/opponents", "/opponents/hard", "/lab", "/lab/experiment", "/lab/rules", "/nothing"),
)


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A server that runs from a copy of the project and that nobody has asked; and the copy."""
    checkout = tmp_path / "project"
    for part in ("webapp", "templates", "static"):
        shutil.copytree(ROOT / part, checkout / part)
    with served(tmp_path / "data", checkout=checkout) as url:
        yield url, checkout


def opened(url: str) -> HTTPResponse:
    try:
        return urlopen(url)  # type: ignore[no-any-return]
    except HTTPError as refused:
        return refused  # type: ignore[return-value]


def test_pages_are_shown_and_no_changed_file_is_kept_under_the_address_of_the_old_one(
    upgraded: tuple[str, Path],
) -> None:
    server, checkout = upgraded

    def addresses() -> list[str]:
        with opened(f"{server}/lab") as page:
            return re.findall(r'"(/static/[^"]+)"', page.read().decode())

    for template in (checkout / "templates").rglob("*.html"):
        template.write_text("{{ what_the_new_version_has }}")
    for page in PAGES:
        with opened(server + page) as answer:
            assert answer.status == (404 if page in ("/join/AAAA", "/nothing") else 200), page
            assert "Tic-Tac-Toe" in answer.read().decode()
    before = addresses()
    (checkout / "static/app.js").write_text("const now = 2;\n")
    (checkout / "static/learn.js").unlink()
    assert addresses() == before, "browsers that know the old files need no others"
    (script,) = [one for one in before if "/app.js" in one]
    with opened(server + script) as file:
        assert file.read() == b"const now = 2;\n"
        assert file.headers["Cache-Control"] == "no-cache"
