import os
import re
from pathlib import Path

import pytest

from tests.service.conftest import on_both
from tests.support.people import Clock
from tests.support.visitor import Site
from webapp.config import Settings, SettingsError
from webapp.service import sessions
from webapp.service.key import ELSEWHERE, FILE, HostKey
from webapp.service.sessions import HOURS
from webapp.service.site import Site as Service


@pytest.fixture
def key(site: Site) -> HostKey:
    key = HostKey(site.settings)
    key.ensure()
    return key


def signed_in(host: Service, key: HostKey) -> str:
    return sessions.sign_in(host, key.read()) or ""


def test_a_key_is_words_and_stays_until_it_is_renewed(tmp_path: Path) -> None:
    key = HostKey(Settings(data=tmp_path))
    assert key.read() == ""
    assert not key.fits("")
    first = key.ensure()
    assert re.fullmatch(r"([a-z]+-){3}\d\d-([a-z]+-){3}\d\d", first)
    assert key.ensure() == HostKey(Settings(data=tmp_path)).read() == first
    for between in ("-", "  ", "", " – ", "\u2011"):
        typed = f" {first.replace('-', between).upper()} \n"
        assert key.fits(typed), "it is read as people type it"
    for typed in (first[:-1], f"{first}é"):
        assert not key.fits(typed)
    assert key.renew() != first
    (file,) = tmp_path.iterdir()
    assert file.name == FILE
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600, "no one else may read it"


def test_where_a_setting_replaces_it_the_file_says_so_and_opens_nothing(tmp_path: Path) -> None:
    without = HostKey(Settings(data=tmp_path))
    before = without.ensure()
    settings = Settings(data=tmp_path, host_key="given-to-several-machines")
    given = HostKey(settings)
    assert (given.is_given, given.ensure()) == (True, settings.host_key)
    assert str(settings.host_key) not in repr(settings)
    assert (tmp_path / FILE).read_text() == f"{ELSEWHERE}\n"
    assert (without.is_given, without.read()) == (True, "")
    for typed in (before, ELSEWHERE, ""):
        assert not given.fits(typed)
        assert not without.fits(typed)
    assert without.ensure() not in ("", before, ELSEWHERE), "a start without the setting makes one"
    assert not without.is_given
    for weak in ("short", "x" * 40, "ababab-ababab-ababab", "internationalisation"):
        with pytest.raises(SettingsError, match="at least 16 characters, 8 different") as refused:
            Settings(data=tmp_path, host_key=weak)
        assert weak not in str(refused.value)


@on_both
def test_a_host_is_known_and_nothing_stored_tells(site: Site, host: Service, key: HostKey) -> None:
    tokens = [signed_in(host, key) for _ in range(2)]
    assert all(sessions.knows(host, token) for token in tokens)
    with site.database.read() as connection:
        stored = [*connection.exec_driver_sql("SELECT * FROM hosts")]
    assert len(stored) == 2
    assert not [secret for secret in (*tokens, key.read()) if secret in str(stored)]
    sessions.sign_out(host, tokens[0])
    assert [sessions.knows(host, token) for token in tokens] == [False, True]
    for other in ("", "x", tokens[1][:-1], f"{tokens[1]}x"):
        assert not sessions.knows(host, other)


def test_a_session_ends_after_hours(host: Service, key: HostKey, clock: Clock) -> None:
    for passed, seconds in ((HOURS * 3600 - 1, 1), (0, 100 * 24 * 3600), (0, -1)):
        token = signed_in(host, key)
        clock.goes_on(passed)
        assert sessions.knows(host, token)
        clock.is_set(seconds)
        assert not sessions.knows(host, token)


def test_another_key_ends_every_session(host: Service, key: HostKey) -> None:
    old = key.read()
    token = signed_in(host, key)
    key.renew()
    assert not sessions.knows(host, token)
    assert sessions.sign_in(host, old) is None
    assert sessions.knows(host, signed_in(host, key))
