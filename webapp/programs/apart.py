"""A league's files, each copied to its own folder, so that none can import or change another.

The files beside them that do not take part are copied too.
"""

import os
import re
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from webapp.programs.files import CannotLoad, Program
from webapp.programs.tabulate import Tabulation

MAX_BESIDE_BYTES = 1 << 20  # larger files beside a program are not copied

Ask = Callable[[Sequence[Program]], list[Tabulation | CannotLoad]]


def apart(programs: Sequence[Program], ask: Ask) -> list[Tabulation | CannotLoad]:
    """Ask copies of programs; the answers name the original files."""
    files = {program.file for program in programs}
    with TemporaryDirectory(prefix="tictactoe-") as folder:
        copies = [
            _copy(program, files, Path(folder, str(number)))
            for number, program in enumerate(programs)
        ]
        answers = ask(copies)
    return [_of(*asked, files) for asked in zip(programs, copies, answers, strict=True)]


def _copy(program: Program, files: Collection[Path], folder: Path) -> Program:
    folder.mkdir()
    for beside in program.file.parent.iterdir():
        with suppress(OSError):  # a program that needs an unreadable file says so
            if (beside / "__init__.py").is_file():
                shutil.copytree(beside, folder / beside.name)
            elif (
                beside.is_file()
                and beside not in files
                and beside.stat().st_size <= MAX_BESIDE_BYTES
            ):
                shutil.copyfile(beside, folder / beside.name)
    try:
        shutil.copyfile(program.file, copy := folder / program.file.name)
    except OSError:  # opening the file itself will say why
        return program
    return replace(program, file=copy)


def _of(
    program: Program, copy: Program, answers: Tabulation | CannotLoad, files: Collection[Path]
) -> Tabulation | CannotLoad:
    if isinstance(answers, Tabulation):
        return replace(answers, program=replace(answers.program, file=program.file))
    why = str(answers).replace(f"{copy.file.parent}{os.sep}", "")
    missing = re.search(r"No module named '(\w+)'", why)
    if missing and program.file.with_name(f"{missing[1]}.py") in files:
        why += f" {missing[1]}.py takes part itself, so no other file can import it."
    return CannotLoad(why)
