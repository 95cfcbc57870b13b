"""README, docs and lists of packages name nothing that is not there and all that is."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from textwrap import dedent

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.visitor import open_site
from tests.unit.test_architecture import ROOMS
from webapp import cli
from webapp.config import Settings

ROOT = Path(cli.__file__).parents[2]
LONGEST = {
    "README.md": 130, "CONTRIBUTING.md": 104, "docs/teachers.md": 144, "docs/teachers.de.md": 163,
    "docs/tournaments.md": 61, "docs/hosting.md": 170, "docs/engines.md": 130, "docs/http.md": 172,
    "docs/lessons.md": 131, "docs/lessons.de.md": 131, "docs/performance.md": 105,
    "deploy/README.md": 90,
}  # fmt: skip
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in LONGEST}
OPTIONS = {
    name: {"--help", *(option for one in command.params for option in one.opts)}
    for name, command in cli.tictactoe.commands.items()
}
SCRIPTS = "".join(
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("script/bootstrap", "tests/bench/__main__.py", "tests/conftest.py")
)
VARIABLES = {f"TTT_{field.name.upper()}" for field in fields(Settings)}


def code(name: str) -> list[str]:
    """What a page shows as code: between backticks, or lines that are indented by four."""
    text = TEXTS[name]
    return re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ {4}(.+)$", text, re.MULTILINE)


def commands(name: str) -> Iterator[tuple[str, str]]:
    for span in code(name):
        if found := re.match(r"(?:\$ |.*[/\\])?tictactoe ([a-z][a-z-]*)(.*)", span):
            yield found[1], found[2]
        elif found := re.match(r"(?:python3? )?script[/\\]server( .*|$)", span):
            yield "serve", found[1]


def test_every_page_is_short_and_every_file_command_and_variable_it_names_is_one() -> None:
    places = {one.name for one in (*ROOT.iterdir(), *(ROOT / "webapp").iterdir()) if one.is_dir()}
    known = set().union(*OPTIONS.values())
    for name, text in TEXTS.items():
        assert len(text.splitlines()) <= LONGEST[name], name
        assert {*re.findall(r"\bTTT_[A-Z_]+\b", text)} <= VARIABLES, name
        linked = re.findall(r'\]\(([^)#]+)\)|src(?:set)?="([^"]+)"', text)
        for link in filter(None, (part for pair in linked for part in pair)):
            assert link.startswith("https://") or ((ROOT / name).parent / link).exists(), link
        for command, rest in commands(name):
            assert {*re.findall(r"--[a-z][a-z-]*", rest)} <= OPTIONS[command], command + rest
        for span in code(name):
            if option := re.match(r"--[a-z][a-z-]*", span):
                assert option[0] in known or f'"{option[0]}"' in SCRIPTS, span
            named = re.match(r"(?:python3? )?(([\w.]+)[/\\][\w./\\-]*)", span)
            if named and named[2] in places - {".venv", "data"}:
                path = named[1].replace("\\", "/")
                assert (ROOT / path).exists() or (ROOT / "webapp" / path).exists(), span


def test_every_command_and_setting_is_explained_with_its_option_and_default() -> None:
    texts = TEXTS["docs/hosting.md"] + TEXTS["docs/engines.md"]
    found = re.findall(r"^\| `(?!tictactoe )([a-z][a-z-]*)( [^`]*)?` \|", texts, re.MULTILINE)
    assert {command for command, _ in found} == OPTIONS.keys()
    for command, rest in found:
        assert {*re.findall(r"--[a-z][a-z-]*", rest)} <= OPTIONS[command], command
    rows = re.findall(r"^\| (.*) \| `(TTT_\w+)` \|(.*?)\| .* \|$", texts, re.MULTILINE)
    assert sorted(variable for _, variable, _ in rows) == sorted(VARIABLES)
    serve = OPTIONS["serve"] - {"--help", "--migrate", "--open"}
    assert {option.strip("`") for option, *_ in rows if option[0] == "`"} == serve
    for option, variable, default in rows:
        name = variable.removeprefix("TTT_").lower()
        assert option == f"`--{name.replace('_', '-')}`" or name in ("database_url", "host_key")
        assert not getattr(Settings, name) or default.strip() == f"`{getattr(Settings, name)}`"


def test_every_address_of_the_site_is_explained_and_every_one_named_is_one(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        addresses = site.app.url_map
    routes = {
        (method, re.sub("<.*?>", "<>", rule.rule))
        for rule in addresses.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
    }
    named = re.findall(r"`(GET|POST) (/[^` ]*)", TEXTS["docs/http.md"])
    assert {(method, re.sub("<.*?>", "<>", path)) for method, path in named} == routes
    for name in LONGEST.keys() - {"deploy/README.md"}:
        for span in code(name):
            if re.match("/[a-z]", span):
                assert addresses.bind("localhost").allowed_methods(span.partition("?")[0]), span


def test_the_maps_are_true_and_a_translation_is_laid_out_as_its_original() -> None:
    there = {one.name for one in (ROOT / "webapp").iterdir() if one.is_dir()} - {"__pycache__"}
    in_readme = re.findall(r"^ {4}webapp/(\w+)/ ", TEXTS["README.md"], re.MULTILINE)
    assert sorted(in_readme) == sorted(there)
    last = re.findall(r"^ {4}((?:\w+/ ?)+)$", TEXTS["README.md"], re.MULTILINE)
    assert all((ROOT / folder).is_dir() for folder in last[0].split())
    rooms = re.findall(r"^ {4}(\w+)(?:/|\.py) ", TEXTS["CONTRIBUTING.md"], re.MULTILINE)
    assert rooms == list(ROOMS)
    for page in ("teachers", "lessons"):
        english, german = (
            re.findall(r"^ *(?:#+|\d+\.|[-|]) |`[^`\n]+`", TEXTS[name], re.MULTILINE)
            for name in (f"docs/{page}.md", f"docs/{page}.de.md")
        )
        assert german == english


def test_the_engine_that_is_shown_is_worth_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", TEXTS["docs/engines.md"], re.MULTILINE)
    source, shown = [dedent(one).strip() for one in blocks if "mine.py" in one]
    (tmp_path / "mine.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        cli.main(["check", "mine.py"])
    assert ended.value.code == 0
    assert shown.removeprefix("$ tictactoe check mine.py\n") == capsys.readouterr().out.strip()


PINNED = {
    "requirements.txt": "",
    "deploy/requirements-postgres.txt": "postgres",
    "tests/requirements.txt": "test",
}
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


def test_the_lists_of_packages_agree_and_pin_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known: dict[str, set[str]] = {}
    for file, kind in PINNED.items():
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
