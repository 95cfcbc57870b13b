"""What a check of the installation found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    :param about: what was looked at, in a word or two
    :param says: how it is, without a full stop
    :param advice: what to do about it; empty where all is well
    """

    level: Level
    about: str
    says: str
    advice: str = ""


def ok(about: str, says: str) -> Finding:
    """All is well."""
    return Finding("ok", about, says)


def warning(about: str, says: str, advice: str) -> Finding:
    """It works, and may not for long or not for everybody."""
    return Finding("warning", about, says, advice)


def wrong(about: str, says: str, advice: str) -> Finding:
    """It does not work."""
    return Finding("wrong", about, says, advice)
