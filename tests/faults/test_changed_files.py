"""Files that an upgrade has changed, while the server of before still runs."""

import re
import shutil
from pathlib import Path

from tests.support.http import Player
from tests.support.serving import served

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("/", "/class", "/class/board", "/you", "/learn", "/review/40281", "/lab")


def test_pages_are_shown_and_no_changed_file_is_kept_under_the_address_of_the_old_one(
    tmp_path: Path,
) -> None:
    checkout = tmp_path / "project"
    for part in ("webapp", "templates", "static"):
        shutil.copytree(ROOT / part, checkout / part)
    with served(tmp_path / "data", checkout=checkout) as url:
        alice = Player(url)
        for template in (checkout / "templates").rglob("*.html"):
            template.write_text("{{ what_the_new_version_has }}")
        for page, status in (*((page, 200) for page in PAGES), ("/join/AAAA", 404), ("/no", 404)):
            answer = alice.get(page)
            assert (answer.status, "Tic-Tac-Toe" in answer.text) == (status, True), page
        before = re.findall(r'"(/static/[^"]+)"', alice.get("/lab").text)
        (checkout / "static/app.js").write_text("const now = 2;\n")
        (checkout / "static/learn.js").unlink()
        after = re.findall(r'"(/static/[^"]+)"', alice.get("/lab").text)
        assert after == before, "browsers that know the old files need no others"
        (script,) = [one for one in before if "/app.js" in one]
        file = alice.get(script)
        assert (file.text, file.headers["Cache-Control"]) == ("const now = 2;\n", "no-cache")
