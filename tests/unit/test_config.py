from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from tests.support.serving import environment
from webapp.config import Settings, SettingsError

GIVEN: dict[str, tuple[str, Any]] = {
    "host": ("::1", "::1"), "port": ("0", 0), "data": ("/srv/games", Path("/srv/games")),
    "database_url": ("postgresql://ada@db/games", "postgresql://ada@db/games"),
    "synchronous": ("NORMAL", "NORMAL"), "seed": ("twelve", "twelve"),
    "engine": ("mine.py:best, ours,", ("mine.py:best", "ours")), "names": ("own", "own"),
    "lan": ("on", "on"),
    "public_url": ("https://school.example/games/", "https://school.example/games"),
    "base_path": ("/games/", "/games"),
    "trusted_proxies": (" 127.0.0.1, 10.0.0.0/8 ::1,", ("127.0.0.1", "10.0.0.0/8", "::1")),
    "limits": ("off", "off"), "language": ("ar", "ar"),
    "host_key": ("quiet-violet-lantern-27", "quiet-violet-lantern-27"),
}  # fmt: skip
ENVIRONMENT = {f"TTT_{name.upper()}": text for name, (text, _) in GIVEN.items()}
SETTINGS = Settings(**{name: value for name, (_, value) in GIVEN.items()})


def test_every_setting_comes_from_the_environment_goes_on_to_a_process_and_has_a_default() -> None:
    assert GIVEN.keys() == {field.name for field in fields(Settings)}
    assert Settings.from_environment(ENVIRONMENT) == SETTINGS
    assert Settings.from_environment(environment(SETTINGS)) == SETTINGS
    default = Settings.from_environment({})
    assert default == Settings.from_environment(dict.fromkeys(ENVIRONMENT, "")) == Settings()
    assert (default.host, default.port) == ("127.0.0.1", 8000)
    assert (default.data, default.synchronous, default.limits) == (Path("data"), "FULL", "on")


NO_PROXY = "trusted proxies must be addresses or networks such as 10.0.0.0/8, not 'proxy'"
PORT = "the port must be a whole number from 0 to 65535, not "
BAD = [
    *(("PORT", value, f"{PORT}'{value}'") for value in ("abc", "-1", "65536", "80.5")),
    ("SYNCHRONOUS", "OFF", "synchronous must be FULL or NORMAL, not 'OFF'"),
    *(("BASE_PATH", v, f"the base path must look like /games, not '{v}'") for v in ("a", "/a//b")),
    ("PUBLIC_URL", "school", "the public URL must look like http://192.168.1.20:8000"),
    ("TRUSTED_PROXIES", "127.0.0.1 proxy", NO_PROXY),
]


def test_a_bad_value_is_refused_with_what_is_allowed() -> None:
    for name, value, sentence in BAD:
        with pytest.raises(SettingsError) as refusal:
            Settings.from_environment({f"TTT_{name}": value})
        assert str(refusal.value) == sentence


def test_a_database_is_sqlite_or_postgresql_spelled_either_way() -> None:
    others = (f"{scheme}://teacher:secret@db/games" for scheme in ("postgresql+asyncpg", "mysql"))
    for url in (*others, "secret", "sqlite://", "sqlite:///", "sqlite:///:memory:"):
        with pytest.raises(SettingsError, match="must look like sqlite:///folder/") as refusal:
            Settings.from_environment({"TTT_DATABASE_URL": url})
        assert "secret" not in str(refusal.value)
    for scheme in ("postgres", "postgresql"):
        settings = Settings(database_url=f"{scheme}://teacher:secret@db:5433/games")
        assert settings.postgres
        assert settings.url == "postgresql+psycopg://teacher:secret@db:5433/games"
    other = "sqlite:////srv/other.db"
    assert (Settings().postgres, Settings(database_url=other).url) == (False, other)


def test_any_data_folder_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("my games", "what?", "a%20b", "#1", "spiel-ü"):
        monkeypatch.chdir(tmp_path)
        settings = Settings(data=Path(name))
        url, known = settings.url, environment(settings)
        assert make_url(url).database == str(tmp_path / name / "tictactoe.db")
        (tmp_path / name).mkdir()
        monkeypatch.chdir(name)
        assert Settings.from_environment(known).url == url
