"""A league's files, each in a folder of its own: none can import or change another's.

Copied before any of them is run, with the files beside it that do not take part.
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

LARGEST = 1 << 20
"""Up to how many bytes a file is copied that lies beside one that takes part."""

Ask = Callable[[Sequence[Program]], list[Tabulation | CannotLoad]]


def apart(programs: Sequence[Program], ask: Ask) -> list[Tabulation | CannotLoad]:
    """Ask programs that each lie in a folder of their own meanwhile.

    What is found names the original files.
    """
    files = {program.file for program in programs}
    with TemporaryDirectory(prefix="tictactoe-") as folder:
        copies = [
            _copy(program, files, Path(folder, str(number)))
            for number, program in enumerate(programs)
        ]
        found = ask(copies)
    return [_of(*one, files) for one in zip(programs, copies, found, strict=True)]


def _copy(program: Program, files: Collection[Path], folder: Path) -> Program:
    folder.mkdir()
    for beside in program.file.parent.iterdir():
        # What cannot be read is missed by those who need it.
        with suppress(OSError):
            if (beside / "__init__.py").is_file():
                shutil.copytree(beside, folder / beside.name)
            elif beside.is_file() and beside not in files and beside.stat().st_size <= LARGEST:
                shutil.copyfile(beside, folder / beside.name)
    try:
        shutil.copyfile(program.file, copy := folder / program.file.name)
    except OSError:  # its author reads why once the file itself is opened
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
