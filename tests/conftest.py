from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.races import Race


@pytest.fixture(scope="session")
def race() -> Iterator[Race]:
    """Processes that stand ready to do things at the same moment."""
    from tests.support.races import processes  # the whole application; most tests need less

    with processes() as race:
        yield race


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with two functions of a student's own."""
    file = tmp_path / "mine.py"
    file.write_text(
        "def first(board, mark):\n"
        "    return board.index('.')\n"
        "\n"
        "def broken(board, mark):\n"
        "    return {}[board]\n"
    )
    return file
