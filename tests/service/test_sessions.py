"""Signing in as the host: the key, how long a session lasts, and how often anyone may try."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.people import Clock
from tests.support.visitor import Site
from webapp.config import Settings, SettingsError
from webapp.service import sessions
from webapp.service.key import ELSEWHERE, FILE, HostKey
from webapp.service.sessions import HOURS
from webapp.service.site import Site as Service
from webapp.service.wrong_keys import A_SECOND, AT_ONCE, LONGEST, TooManyTries, WrongKey, WrongKeys

GIVEN = "given-to-several-machines"
LINE = "192.168.1.20/32"


@pytest.fixture
def key(site: Site) -> HostKey:
    key = HostKey(site.settings)
    key.ensure()
    return key


@pytest.fixture
def host(site: Site, key: HostKey, clock: Clock) -> Service:
    return site.service


def test_a_key_is_words_and_stays_until_it_is_renewed(tmp_path: Path) -> None:
    key = HostKey(Settings(data=tmp_path))
    assert key.read() == ""
    assert not key.fits("")
    first = key.ensure()
    assert re.fullmatch(r"([a-z]+-){3}\d\d-([a-z]+-){3}\d\d", first)
    assert key.ensure() == HostKey(Settings(data=tmp_path)).read() == first
    assert key.renew() != first
    assert {file.name for file in tmp_path.iterdir()} == {FILE}


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_only_the_user_who_serves_can_read_it(tmp_path: Path) -> None:
    HostKey(Settings(data=tmp_path)).ensure()
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_setting_replaces_it_and_says_nothing_of_itself(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, host_key=GIVEN)
    key = HostKey(settings)
    assert key.is_given
    assert key.ensure() == GIVEN
    assert GIVEN not in repr(settings)
    assert Settings.from_environment(settings.to_environment()) == settings


def test_where_a_setting_replaces_it_the_file_says_so_and_opens_nothing(tmp_path: Path) -> None:
    without = HostKey(Settings(data=tmp_path))
    before = without.ensure()
    given = HostKey(Settings(data=tmp_path, host_key=GIVEN))
    given.ensure()
    assert (tmp_path / FILE).read_text() == f"{ELSEWHERE}\n"
    assert without.is_given
    assert without.read() == ""
    for typed in (before, ELSEWHERE, ""):
        assert not given.fits(typed)
        assert not without.fits(typed)
    assert without.ensure() not in ("", before, ELSEWHERE), "a start without the setting makes one"
    assert not without.is_given


@pytest.mark.parametrize(
    "weak", ["short", "x" * 40, "ababab-ababab-ababab", "internationalisation"]
)
def test_a_key_that_could_be_guessed_is_refused(tmp_path: Path, weak: str) -> None:
    with pytest.raises(SettingsError, match="at least 16 characters, 8 different ones") as refused:
        Settings(data=tmp_path, host_key=weak)
    assert weak not in str(refused.value)


@pytest.mark.parametrize("write", ["{}", " {} \n"])
def test_it_is_read_as_people_type_it(key: HostKey, write: str) -> None:
    for typed in (key.read(), key.read().upper(), key.read().replace("-", "  ")):
        assert key.fits(write.format(typed))
    assert not key.fits(key.read()[:-1])
    assert not key.fits(key.read() + "é")


def test_a_host_is_known_until_they_sign_out(host: Service, key: HostKey) -> None:
    tokens = [sessions.sign_in(host, key.read(), LINE) for _ in range(2)]
    assert all(map(partial(sessions.knows, host), tokens))
    sessions.sign_out(host, tokens[0])
    assert [*map(partial(sessions.knows, host), tokens)] == [False, True]
    for other in ("", "x", tokens[1][:-1], f"{tokens[1]}x"):
        assert not sessions.knows(host, other)


@pytest.mark.parametrize("seconds", [HOURS * 3600, 100 * 24 * 3600, -1])
def test_a_session_ends_after_hours_or_where_the_clock_was_set(
    host: Service, key: HostKey, clock: Clock, seconds: int
) -> None:
    token = sessions.sign_in(host, key.read(), LINE)
    clock.goes_on(HOURS * 3600 - 1)
    assert sessions.knows(host, token)
    clock.goes_on(1 - HOURS * 3600)
    clock.is_set(seconds)
    assert not sessions.knows(host, token)


def test_another_key_ends_every_session(host: Service, key: HostKey) -> None:
    old = key.read()
    token = sessions.sign_in(host, old, LINE)
    key.renew()
    assert not sessions.knows(host, token)
    with pytest.raises(WrongKey):
        sessions.sign_in(host, old, LINE)
    assert sessions.knows(host, sessions.sign_in(host, key.read(), LINE))


def test_nothing_stored_tells_the_key_or_the_token(site: Site, host: Service, key: HostKey) -> None:
    token = sessions.sign_in(host, key.read(), None)
    with site.database.read() as connection:
        (stored,) = connection.exec_driver_sql("SELECT * FROM hosts")
    for secret in (token, key.read()):
        assert secret not in str(stored)


# --- wrong keys -----------------------------------------------------------------------------------


@pytest.fixture
def time(host: Service) -> Mock:
    """A clock that only a test moves."""
    host.wrong_keys = WrongKeys(1, time := Mock(return_value=1000.0))
    return time


def wait_of(host: Service, line: str | None = LINE) -> float | None:
    """After how many seconds a wrong key is to be answered; ``None`` if too many wait."""
    try:
        sessions.sign_in(host, "wrong", line)
    except WrongKey as error:
        return round(error.wait, 3)
    except TooManyTries:
        return None
    raise AssertionError


def test_wrong_keys_of_an_address_are_answered_one_after_the_other(
    host: Service, time: Mock
) -> None:
    most = round(A_SECOND * LONGEST)
    found = [wait_of(host) for _ in range(200)]
    turns = [round(number / A_SECOND, 3) for number in range(1, most + 1)]
    assert found == [*turns, *[None] * (200 - most)]
    time.return_value += 1
    assert [wait_of(host) for _ in range(A_SECOND + 1)] == [*turns[-A_SECOND:], None]
    assert wait_of(host, "192.168.1.21/32") == turns[0], "another address has a turn of its own"
    time.return_value += 60
    assert wait_of(host) == turns[0]
    assert len(host.wrong_keys._due) == 1


def test_the_key_is_let_in_at_once_whatever_else_its_address_sends(
    host: Service, key: HostKey, time: Mock
) -> None:
    for _ in range(200):
        wait_of(host)
        assert sessions.knows(host, sessions.sign_in(host, key.read(), LINE))
    assert wait_of(host, None) == 0, "nor does anything from the server's own computer wait"


def test_wrong_keys_of_many_addresses_wait_on_only_so_many_threads(
    host: Service, time: Mock
) -> None:
    found = [wait_of(host, f"10.0.0.{number}/32") for number in range(AT_ONCE + 1)]
    assert found == [*[1 / A_SECOND] * AT_ONCE, None]
    time.return_value += 1
    assert wait_of(host) == 1 / A_SECOND
