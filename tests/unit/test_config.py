from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from webapp.config import Settings, SettingsError


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environment({}) == Settings(
        host="127.0.0.1",
        port=8000,
        workers=2,
        data=Path("data"),
        database_url=None,
        synchronous="FULL",
        seed=None,
    )


def test_every_setting_can_come_from_the_environment() -> None:
    settings = Settings.from_environment(
        {
            "TTT_HOST": "0.0.0.0",
            "TTT_PORT": "9000",
            "TTT_WORKERS": "3",
            "TTT_DATA": "/srv/games",
            "TTT_DATABASE_URL": "sqlite:////srv/other.db",
            "TTT_SYNCHRONOUS": "NORMAL",
            "TTT_SEED": "twelve",
        }
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=9000,
        workers=3,
        data=Path("/srv/games"),
        database_url="sqlite:////srv/other.db",
        synchronous="NORMAL",
        seed="twelve",
    )


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_postgresql_may_be_spelled_either_way(scheme: str) -> None:
    settings = Settings(database_url=f"{scheme}://teacher:secret@db:5433/games")
    assert settings.postgres
    assert settings.url == "postgresql+psycopg://teacher:secret@db:5433/games"
    assert not Settings().postgres


def test_where_the_site_stands_can_be_said() -> None:
    settings = Settings.from_environment(
        {"TTT_BASE_PATH": "/games/", "TTT_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8 ::1"}
    )
    assert settings.base_path == "/games"
    assert settings.trusted_proxies == ("127.0.0.1", "10.0.0.0/8", "::1")
    assert Settings.from_environment(settings.to_environment()).base_path == "/games"


@pytest.mark.parametrize(
    "bad, sentence",
    [
        ({"base_path": "games"}, "the base path must look like /games, not 'games'"),
        ({"base_path": "/a//b"}, "the base path must look like /games"),
        ({"base_path": "/a" * 300}, "the base path must not be over 500 characters"),
        ({"public_url": f"http://{'a' * 500}"}, "the public URL must not be over 500 characters"),
        ({"trusted_proxies": ("proxy",)}, "must be addresses or networks such as 10.0.0.0/8"),
        ({"limits": "no"}, "limits must be on or off, not 'no'"),
        ({"log": "all"}, "log must be none or requests, not 'all'"),
    ],
)
def test_other_values_are_refused_in_a_sentence(bad: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        Settings(**bad)


def test_an_empty_variable_counts_as_not_set() -> None:
    names = ("HOST", "PORT", "WORKERS", "DATA", "DATABASE_URL", "SYNCHRONOUS", "SEED")
    assert Settings.from_environment({f"TTT_{name}": "" for name in names}) == Settings()


@pytest.mark.parametrize(
    "name,value,sentence",
    [
        ("TTT_PORT", "abc", "the port must be a whole number from 0 to 65535, not 'abc'"),
        ("TTT_PORT", "-1", "the port must be a whole number from 0 to 65535, not '-1'"),
        ("TTT_PORT", "65536", "the port must be a whole number from 0 to 65535, not '65536'"),
        ("TTT_PORT", "80.5", "the port must be a whole number from 0 to 65535, not '80.5'"),
        ("TTT_WORKERS", "0", "the number of workers must be a whole number from 1 to 64, not '0'"),
        (
            "TTT_WORKERS",
            "65",
            "the number of workers must be a whole number from 1 to 64, not '65'",
        ),
        ("TTT_SYNCHRONOUS", "OFF", "synchronous must be FULL or NORMAL, not 'OFF'"),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(name: str, value: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        Settings.from_environment({name: value})
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("port", [0, 65535])
@pytest.mark.parametrize("workers", [1, 64])
def test_the_limits_themselves_are_allowed(port: int, workers: int) -> None:
    settings = Settings.from_environment({"TTT_PORT": str(port), "TTT_WORKERS": str(workers)})
    assert (settings.port, settings.workers) == (port, workers)


@pytest.mark.parametrize(
    "bad", [{"port": 65536}, {"workers": 0}, {"synchronous": "OFF"}, {"database_url": "games.db"}]
)
def test_bad_settings_cannot_be_built_in_code_either(bad: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Settings(**bad)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+asyncpg://teacher:secret@db/games",
        "mysql://teacher:secret@db/games",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "secret",
    ],
)
def test_a_database_that_is_no_sqlite_file_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="must look like sqlite:///folder/") as refusal:
        Settings.from_environment({"TTT_DATABASE_URL": url})
    assert "secret" not in str(refusal.value)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().port = 1  # type: ignore[misc]


def test_the_database_is_a_file_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url = make_url(Settings(data=Path("games")).url)
    assert url.drivername == "sqlite"
    assert url.database is not None
    assert Path(url.database) == tmp_path / "games" / "tictactoe.db"


@pytest.mark.parametrize("name", ["my games", "what?", "50%", "a%20b", "#1", "spiel-ü"])
def test_a_data_folder_may_have_any_name(name: str, tmp_path: Path) -> None:
    database = make_url(Settings(data=tmp_path / name).url).database
    assert database is not None
    assert Path(database) == tmp_path / name / "tictactoe.db"


def test_a_database_url_replaces_the_file_in_the_data_folder() -> None:
    assert Settings(database_url="sqlite:////srv/other.db").url == "sqlite:////srv/other.db"


@pytest.mark.parametrize(
    "settings",
    [
        Settings(data=Path("/srv/games")),
        Settings("::1", 0, 64, Path("/srv/games"), "sqlite:////srv/x.db", "NORMAL", "twelve"),
    ],
)
def test_another_process_reads_the_same_settings(settings: Settings) -> None:
    assert Settings.from_environment(settings.to_environment()) == settings


def test_another_process_finds_the_same_folder_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings(data=Path("games"))
    environment, url = settings.to_environment(), settings.url
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert Settings.from_environment(environment).url == url
