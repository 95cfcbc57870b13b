"""Signing in as the host: the key, how long a session lasts, and how often anyone may try."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.people import Clock
from tests.support.visitor import Site
from webapp.config import Settings, SettingsError
from webapp.service.host_key import FILE, HostKey
from webapp.service.hosts import HOURS, MINUTE, TRIES, Hosts, TooManyTries, WrongKey

GIVEN = "given-to-several-machines"
LINE = "192.168.1.20/32"


@pytest.fixture
def key(site: Site) -> HostKey:
    key = HostKey(site.settings)
    key.ensure()
    return key


@pytest.fixture
def hosts(site: Site, key: HostKey, clock: Clock) -> Hosts:
    return Hosts(site.database, key, clock)


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
    assert list(tmp_path.iterdir()) == []
    assert GIVEN not in repr(settings)
    assert Settings.from_environment(settings.to_environment()) == settings
    with pytest.raises(SettingsError, match="at least 16") as refused:
        replace(settings, host_key="short")
    assert "short" not in str(refused.value)


@pytest.mark.parametrize("write", ["{}", " {} \n"])
def test_it_is_read_as_people_type_it(key: HostKey, write: str) -> None:
    for typed in (key.read(), key.read().upper(), key.read().replace("-", "  ")):
        assert key.fits(write.format(typed))
    assert not key.fits(key.read()[:-1])
    assert not key.fits(key.read() + "é")


def test_a_host_is_known_until_they_sign_out(hosts: Hosts, key: HostKey) -> None:
    tokens = [hosts.sign_in(key.read(), LINE) for _ in range(2)]
    assert all(map(hosts.knows, tokens))
    hosts.sign_out(tokens[0])
    assert [*map(hosts.knows, tokens)] == [False, True]
    for other in ("", "x", tokens[1][:-1], f"{tokens[1]}x"):
        assert not hosts.knows(other)


@pytest.mark.parametrize("seconds", [HOURS * 3600, 100 * 24 * 3600, -1])
def test_a_session_ends_after_hours_or_where_the_clock_was_set(
    hosts: Hosts, key: HostKey, clock: Clock, seconds: int
) -> None:
    token = hosts.sign_in(key.read(), LINE)
    clock.goes_on(HOURS * 3600 - 1)
    assert hosts.knows(token)
    clock.goes_on(1 - HOURS * 3600)
    clock.is_set(seconds)
    assert not hosts.knows(token)


def test_another_key_ends_every_session(hosts: Hosts, key: HostKey) -> None:
    old = key.read()
    token = hosts.sign_in(old, LINE)
    key.renew()
    assert not hosts.knows(token)
    with pytest.raises(WrongKey):
        hosts.sign_in(old, LINE)
    assert hosts.knows(hosts.sign_in(key.read(), LINE))


def test_nothing_stored_tells_the_key_or_the_token(site: Site, hosts: Hosts, key: HostKey) -> None:
    token = hosts.sign_in(key.read(), LINE)
    with site.database.read() as connection:
        stored = [
            str(row)
            for table in ("hosts", "tries")
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")  # noqa: S608
        ]
    assert len(stored) == 2
    for secret in (token, key.read(), LINE):
        assert not any(secret in row for row in stored)


def test_an_address_waits_after_sixty_keys_in_a_minute(
    hosts: Hosts, key: HostKey, clock: Clock
) -> None:
    for _ in range(TRIES):
        with pytest.raises(WrongKey):
            hosts.sign_in("wrong", LINE)
    clock.goes_on(1)
    for typed in ("wrong", key.read()):
        with pytest.raises(TooManyTries) as refused:
            hosts.sign_in(typed, LINE)
        assert refused.value.seconds == MINUTE - 1
    assert hosts.knows(hosts.sign_in(key.read(), "192.168.1.21/32")), "others need not wait"
    assert hosts.knows(hosts.sign_in(key.read(), None)), "nor does the server's own computer"
    clock.goes_on(MINUTE - 1)
    assert hosts.knows(hosts.sign_in(key.read(), LINE))


def test_a_clock_that_is_set_locks_nobody_out(hosts: Hosts, key: HostKey, clock: Clock) -> None:
    for _ in range(TRIES):
        with pytest.raises(WrongKey):
            hosts.sign_in("wrong", LINE)
    clock.is_set(-3600)
    assert hosts.knows(hosts.sign_in(key.read(), LINE))
