"""What is installed: pinned by version and hash, the same everywhere, and what was asked for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
RUN, TEST = "requirements.txt", "tests/requirements.txt"
POSTGRES = "deploy/requirements-postgres.txt"
FILES = (RUN, POSTGRES, TEST)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


class Pin(NamedTuple):
    """One version of a package, and the files that it may consist of."""

    version: str
    marker: str
    hashes: frozenset[str]


def lines(file: str) -> list[str]:
    """The requirements of a file, each in one line."""
    text = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", " ")
    return [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]


def pins(file: str) -> dict[str, set[Pin]]:
    """What a file pins, by the package's name; for other systems there may be another version."""
    found: dict[str, set[Pin]] = {}
    for line in lines(file):
        written, *hashes = line.split(" --hash=")
        requirement = Requirement(written.strip())
        (exactly,) = requirement.specifier
        pin = Pin(exactly.version, str(requirement.marker or ""), frozenset(map(str.strip, hashes)))
        found.setdefault(canonicalize_name(requirement.name), set()).add(pin)
    return found


def wanted(kind: str | None = None) -> list[Requirement]:
    """What pyproject.toml asks for: to run the project, or with an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(project["optional-dependencies"][kind] if kind else [])]
    return [Requirement(one) for one in asked]


@pytest.mark.parametrize("file", FILES)
def test_every_requirement_is_pinned_by_version_and_hash(file: str) -> None:
    assert len(lines(file)) > 10
    for line in lines(file):
        requirement, *hashes = line.split(" --hash=")
        assert re.match(r"[A-Za-z0-9._-]+==[^\s,*]+(?: ;|\s|$)", requirement), line
        assert hashes, line
        assert all(HASH.fullmatch(f"--hash={one.strip()}") for one in hashes), line
        assert "@" not in requirement


@pytest.mark.parametrize("file", FILES)
def test_no_address_is_recorded(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-", text.replace("    --hash=", ""), re.MULTILINE)


@pytest.mark.parametrize("file", [POSTGRES, TEST])
def test_the_files_agree_on_what_they_share(file: str) -> None:
    run, more = pins(RUN), pins(file)
    assert set(run) <= set(more)
    for name in run:
        assert run[name] == more[name], name
    for name in set(pins(POSTGRES)) & set(pins(TEST)):
        assert pins(POSTGRES)[name] == pins(TEST)[name], name


@pytest.mark.parametrize("file,kind", [(RUN, None), (POSTGRES, "postgres"), (TEST, "test")])
def test_what_the_project_asks_for_is_pinned(file: str, kind: str | None) -> None:
    found = pins(file)
    for requirement in wanted(kind):
        name = canonicalize_name(requirement.name)
        assert name in found, requirement
        for pin in found[name]:
            assert requirement.specifier.contains(pin.version), requirement
        for extra in requirement.extras:
            assert f"{name}-{extra}" in found, requirement
