"""Programs by file, function or folder, and their names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile(r"(?P<file>.+\.py)(?::(?P<function>\w+))?", re.DOTALL)


class CannotLoad(ValueError):  # noqa: N818 - the sentence says what cannot be loaded
    """The file or the function cannot be loaded; the message says why."""


@dataclass(frozen=True, slots=True)
class Program:
    """A function in a file.

    :param file: an absolute path
    :param function: empty if the file decides
    :param listed: whether it was found in a folder, not named by itself
    """

    file: Path
    function: str = ""
    listed: bool = False


def is_program(name: str) -> bool:
    """Tell whether a name means a function in a file, not an engine or a list of rules.

    >>> is_program("mine.py"), is_program("mine.py:best"), is_program("hard")
    (True, True, False)
    """
    return bool(_NAME.fullmatch(name))


def program(name: str) -> Program:
    """Return the program that ``FILE.py`` or ``FILE.py:FUNCTION`` names."""
    match = _NAME.fullmatch(name)
    if not match:
        raise CannotLoad(f"A function is named FILE.py:FUNCTION; {name!r} is not.")
    file = Path(match["file"])
    if not file.is_file():
        raise CannotLoad(f"There is no file {file}.")
    return Program(file.resolve(), match["function"] or "")


def programs(name: str) -> list[Program]:
    """Return the named program, or the function ``best`` of every file in the named folder."""
    folder = Path(name)
    if not folder.is_dir():
        return [program(name)]
    files = sorted(file for file in folder.glob("*.py") if not file.name.startswith(("_", ".")))
    if not files:
        raise CannotLoad(f"There is no .py file in the folder {folder}.")
    # Links keep their names, and broken links are reported like any file.
    return [Program(file.parent.resolve() / file.name, "best", listed=True) for file in files]


def slugs(named: Sequence[Program]) -> list[str]:
    """Return file and function of each program, with as many folders as tell them apart.

    >>> slugs([Program(Path("/a/mine.py"), "best"), Program(Path("/b/mine.py"), "best")])
    ['a/mine.py:best', 'b/mine.py:best']
    """

    def slug(program: Program, depth: int) -> str:
        return f"{printable('/'.join(program.file.parts[-depth:]))}:{program.function}"

    def alone(program: Program, depth: int) -> bool:
        return [slug(other, depth) for other in set(named)].count(slug(program, depth)) == 1

    def depth(program: Program) -> int:
        most = len(program.file.parts)
        return next((depth for depth in range(1, most) if alone(program, depth)), most)

    return [slug(program, depth(program)) for program in named]


def printable(text: str) -> str:
    """Replace each character that is not printable by a question mark.

    >>> printable("a" + chr(27) + "b" + chr(10) + "c.py")
    'a?b?c.py'
    """
    return "".join(character if character.isprintable() else "?" for character in text)


def called(slug: str, others: Sequence[str]) -> str:
    """Return the name that people read, unless others have it already.

    >>> called("anna.py:best", []), called("anna.py:first", []), called("hard.py:best", ["Hard"])
    ('anna', 'anna: first', 'hard.py')
    """
    file, _, function = slug.rpartition(":")
    name = file.removesuffix(".py")
    name += "" if function == "best" else f": {function}"
    return file if name.casefold() in map(str.casefold, others) else name
