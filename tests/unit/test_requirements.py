"""What is installed: the same everywhere, and what was asked for; pip itself wants the hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
RUN, TEST = "requirements.txt", "tests/requirements.txt"
POSTGRES = "deploy/requirements-postgres.txt"
LINE = re.compile(r"[\w.-]+==[^\s,*@:]+( ;[^:]+?)?( +--hash=sha256:\w{64})+ *")


def pins(file: str) -> dict[str, set[str]]:
    """What a file pins, by the package's name: a line for each kind of system, with its hashes."""
    text = re.sub(r"^ *#.*", "", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    found: dict[str, set[str]] = {}
    for line in filter(str.strip, text.replace("\\\n", " ").splitlines()):
        assert LINE.fullmatch(line), line
        name = Requirement(line.partition(" --hash")[0]).name
        found.setdefault(canonicalize_name(name), set()).add(line)
    assert len(found) > 10
    return found


def test_the_files_agree_and_pin_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known: dict[str, set[str]] = {}
    for file, kind in ((RUN, ""), (POSTGRES, "postgres"), (TEST, "test")):
        found = pins(file)
        assert known.items() <= found.items(), "each has all of those before"
        known = found
        more = project["optional-dependencies"][kind] if kind else []
        for requirement in map(Requirement, [*project["dependencies"], *more]):
            name = canonicalize_name(requirement.name)
            for line in found[name]:
                (version,) = Requirement(line.partition(" --hash")[0]).specifier
                assert requirement.specifier.contains(version.version), requirement
            assert {f"{name}-{extra}" for extra in requirement.extras} <= found.keys(), requirement
