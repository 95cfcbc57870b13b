"""The examples in ``deploy/``: read by the programs that they are for, and true to this project."""

import ipaddress
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.conftest import Site
from tests.e2e.server import ROOT
from tests.support import proxies
from tests.support.programs import needs
from tests.support.proxies import DEPLOY
from tests.support.serving import environment
from webapp.config import Settings

_UNIT = DEPLOY / "tictactoe.service"
_CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
_SMALL, _SCHOOL = ((DEPLOY / f"compose{kind}.yaml").read_text() for kind in ("", ".school"))


@pytest.mark.long
@pytest.mark.parametrize("example", ["Caddyfile", "Caddyfile.single"])
def test_caddy_finds_no_fault_and_balances_over_the_servers(example: str, tmp_path: Path) -> None:
    text = (DEPLOY / example).read_text()
    said = proxies.run(*proxies.caddy("validate", text, tmp_path))
    assert ("Valid configuration" in said, '"level":"warn"' in said) == (True, False)
    for compose in (_SMALL, _SCHOOL) if example == "Caddyfile" else ():
        (applications,) = re.findall(r"^ +APPLICATIONS: (.+)$", compose, re.MULTILINE)
        filled = text.replace("{$APPLICATIONS}", applications)
        adapted = proxies.run(*proxies.caddy("adapt", filled, tmp_path))
        started = re.findall(r"^  (app(?:-\d+)?):$", compose, re.MULTILINE)
        assert re.findall(r'"dial":"([^"]+)"', adapted) == [f"{name}:8000" for name in started]


@pytest.mark.long
def test_systemd_finds_no_fault_and_the_service_well_shut_in(tmp_path: Path) -> None:
    systemd, unit = needs("systemd-analyze"), str(tmp_path / _UNIT.name)
    program = shutil.which("true") or ""
    adapted = _UNIT.read_text().replace("/opt/tictactoe/.venv/bin/tictactoe", program)
    Path(unit).write_text(adapted)
    assert proxies.run(systemd, "verify", "--man=no", unit) == ""
    # On a scale from 0 to 10, where a service without any of it has more than 9.
    said = proxies.run(systemd, "security", "--offline=yes", "--no-pager", "--threshold=15", unit)
    assert re.search(r"Overall exposure level for tictactoe\.service: (0|1)\.\d", said)


def test_every_setting_that_an_example_names_is_one() -> None:
    settings = Settings(
        database_url="sqlite:///a.db", seed="1", engine=("a.py:b",), public_url="https://a.example",
        host_key="quiet-violet-lantern-27",
    )  # fmt: skip
    known = environment(settings)
    for file in DEPLOY.iterdir():
        if file.is_file() and file.name != ".env":
            named = set(re.findall(r"\bTTT_[A-Z_]+\b", file.read_text()))
            assert named <= known.keys(), file.name


def test_what_stands_behind_a_proxy_trusts_that_one_alone() -> None:
    setting = re.compile(r"^[^#\n]*TTT_TRUSTED_PROXIES[=:] ?(\S+)$", re.MULTILINE)
    (local,) = setting.findall(_UNIT.read_text())
    assert ipaddress.ip_address(local).is_loopback
    for compose in (_SMALL, _SCHOOL):
        (proxy,) = setting.findall(compose)
        assert re.findall(r"ipv4_address: (\S+)", compose) == [proxy]
        network, others = (
            ipaddress.IPv4Network(re.findall(rf"{key}: (\S+)", compose)[0])
            for key in ("subnet", "ip_range")
        )
        assert others.subnet_of(network)
        assert ipaddress.ip_address(proxy) in network
        assert ipaddress.ip_address(proxy) not in others, "another container could have it first"


def test_what_compose_asks_of_its_env_file_is_in_the_example_and_no_password_is_in_git() -> None:
    asked = set(re.findall(r"\$\{(\w+)", _SMALL + _SCHOOL))
    example = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    assert asked == example.keys()
    assert example["POSTGRES_PASSWORD"] == example["TTT_HOST_KEY"] == ""
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_container_gets_every_file_that_it_copies_and_is_not_root() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", _CONTAINERFILE, re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    assert all((ROOT / source).exists() for source in sources)
    first, *let_in = re.findall(r"^[^#\n]+", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert first == "*"
    assert {line.removeprefix("!") for line in let_in if line.startswith("!")} == sources
    ((user, group),) = re.findall(r"^USER (\d+):(\d+)$", _CONTAINERFILE, re.MULTILINE)
    assert "0" not in (user, group)
    assert f"uid={user},gid={group}" in _SCHOOL
    # As a list: a shell would keep SIGTERM to itself.
    assert len(re.findall(r"^(?:ENTRYPOINT|CMD) \[", _CONTAINERFILE, re.MULTILINE)) == 2


def test_the_containers_health_check_tells_a_server_that_answers(site: Site) -> None:
    (found,) = re.findall(r"^HEALTHCHECK [^\[]*CMD (\[.*\])$", _CONTAINERFILE, re.MULTILINE)
    python, *arguments = json.loads(found)
    assert python == "python"
    port = site.server.url.rpartition(":")[2]

    def status(port: str) -> int:
        settings = {**os.environ, "TTT_PORT": port, "TTT_BASE_PATH": site.path}
        return subprocess.run(
            [sys.executable, *arguments], env=settings, stderr=subprocess.DEVNULL, check=False
        ).returncode

    assert status(port) == 0
    assert status(str(proxies.free_port())) == 1


def test_the_readme_speaks_of_every_file() -> None:
    text = (DEPLOY / "README.md").read_text()
    for file in DEPLOY.iterdir():
        assert file.name in text or file.name == "README.md", f"README.md says nothing of {file}"
