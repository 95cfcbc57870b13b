import os
import shutil
from pathlib import Path

import pytest

_PACKAGES = {"initdb": "postgresql", "systemd-analyze": "systemd"}
"""Debian's packages that are not called as their programs are."""


def found(name: str) -> str | None:
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders = [*map(str, newest_first), os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]
    return shutil.which(name, path=os.pathsep.join(folders))


def needs(name: str) -> str:
    path = found(name)
    if path is None:
        pytest.skip(f"There is no {name} here: install {_PACKAGES.get(name, name)} for this test.")
    return path
