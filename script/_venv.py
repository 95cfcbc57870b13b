"""Makes, fills and mends the project's .venv, for the programs beside this file.

Standard library only. Old Pythons must be able to compile it, and to get to the version check.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones do get here
    sys.stderr.write(
        "This is Python {}.{}, and 3.11 or newer is needed: "
        "get it from https://www.python.org/downloads/\n".format(*sys.version_info)
    )
    sys.exit(2)

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

# What .venv can be filled for; each one includes those before it.
_REQUIREMENTS = {
    "run": ROOT / "requirements.txt",
    "postgres": ROOT / "deploy" / "requirements-postgres.txt",
    "test": ROOT / "tests" / "requirements.txt",
}
# What pip or uv print where they could not fetch anything, and what that means. Of a filter's 403,
# pip says no more than that it found no version.
_TROUBLES = {
    "certificate": "this network replaces certificates, as filters of schools do; do the first "
    "start in another network",
    r"\b407\b|proxy authorization": "the proxy of this network wants a password; set HTTPS_PROXY "
    "to http://USER:PASSWORD@PROXY:PORT, or do the first start in another network",
    "NewConnectionError|tcp connect|dns error|timed? ?out|unreachable": "this computer does not "
    "reach the internet; connect it, or do the first start in another network",
    r"\b403\b|from versions: none": "a filter of this network does not let them through; do the "
    "first start in another network",
}

# Written last and removed first, so a .venv without it is not finished.
_STAMP = VENV / "filled-from"


def say(sentence: str) -> None:
    """Print a line at once: the next line may come from another program."""
    print(sentence, flush=True)


def stop(sentence: str, status: int = 1) -> NoReturn:
    """End the program with one sentence on stderr."""
    print(sentence, file=sys.stderr, flush=True)
    sys.exit(status)


def run(main: Callable[[], int]) -> NoReturn:
    """Run a program to its exit status; Ctrl-C ends it without a traceback."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


def foreground(
    command: Sequence[str | Path],
    environment: Mapping[str, str] = os.environ,
    folder: Path | None = ROOT,
) -> int:
    """Run a program in a folder, else in the current one, to its end; return its status.

    Ctrl-C reaches that program as well, so it is left to finish in its own way.
    """
    with subprocess.Popen(command, cwd=folder, env=environment) as program:
        while True:
            try:
                status = program.wait()
            except KeyboardInterrupt:
                continue
            # Ended by a signal: negative here, 128 and more for a shell.
            return status if status >= 0 else 128 - status


def fill(purpose: str = "run") -> None:
    """Make sure that .venv holds what running the project needs, or more.

    Reads three small files if everything is there already.

    :param purpose: "run", "postgres" to run it with PostgreSQL, or "test"
    """
    kind, python, digest = _read_stamp()
    # A .venv that can do more remains one that can.
    wanted = max(purpose, kind or "run", key=list(_REQUIREMENTS).index)
    if (kind, python, digest) == (wanted, _python(), _digest(wanted)):
        return
    _check_kind()
    uv = shutil.which("uv")
    try:
        if python != _python() or not (uv or _has_pip()):
            _make(uv)
        _STAMP.unlink(missing_ok=True)
        _install(wanted, uv)
        _STAMP.write_text(f"{wanted} {_python()} {_digest(wanted)}\n", encoding="ascii")
    except OSError as error:
        stop(f".venv could not be made: {error}.")


def _read_stamp() -> tuple[str, str, str]:
    """Return what .venv was filled for, by which Python, from what; three times "" if unknown."""
    words = []
    if PYTHON.exists() and _STAMP.exists():
        words = _STAMP.read_text(encoding="ascii", errors="replace").split()
    if len(words) != 3 or words[0] not in _REQUIREMENTS:
        return "", "", ""
    return words[0], words[1], words[2]


def _python() -> str:
    """Return what must be the same in a .venv and in the Python that runs this."""
    return str(sys.implementation.cache_tag)


def _digest(kind: str) -> str:
    """Return a digest of everything that decides what .venv holds."""
    sources = [str(ROOT).encode()]
    sources += [path.read_bytes() for path in (ROOT / "pyproject.toml", _REQUIREMENTS[kind])]
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


def _check_kind() -> None:
    """Stop where this Python is of a kind that the server does not run on."""
    wanted = "" if sys.maxsize > 2**32 else "one for 64 bits"
    if sysconfig.get_platform() == "win-arm64":
        wanted = 'the one for x86, "Windows installer (64-bit)"'
    if wanted:
        stop(
            f"The server needs another Python: get {wanted} from https://www.python.org/downloads/"
        )


def _has_pip() -> bool:
    """Tell whether .venv holds pip; one that uv made does not."""
    attempt = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True, check=False)
    return attempt.returncode == 0


def _make(uv: str | None) -> None:
    """Make .venv; replace an old one."""
    say("Making the folder .venv, for the packages that this program needs ...")
    if VENV.exists():
        shutil.rmtree(VENV)
    # If this program is run by the Python inside .venv, that one has just been removed.
    python = getattr(sys, "_base_executable", sys.executable)
    if uv:
        _call([uv, "venv", "--quiet", "--python", python, VENV], ".venv could not be made")
        return
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        stop(f"This Python cannot make a .venv: install {package} (apt install {package}), or uv.")
    _call([python, "-m", "venv", VENV], ".venv could not be made")


def _install(kind: str, uv: str | None) -> None:
    """Install the pinned packages, and the project itself as editable."""
    requirements = _REQUIREMENTS[kind].relative_to(ROOT)
    say(f"Fetching the packages in {requirements.as_posix()}; this takes a minute or so ...")
    install: list[str | Path]
    if uv:
        install = [uv, "pip", "install", "--quiet", "--python", PYTHON]
    else:
        install = [PYTHON, "-m", "pip", "--retries=2", "install", "--quiet"]
        install += ["--disable-pip-version-check", "--no-warn-script-location"]
    _call(
        [*install, "--require-hashes", "-r", requirements],
        f"The packages in {requirements.as_posix()} could not be fetched",
        _TROUBLES,
    )
    _call(
        [*install, "--no-index", "--no-deps", "--no-build-isolation", "--editable", "."],
        "The project could not be installed into .venv",
    )


def _call(
    command: Sequence[str | Path], trouble: str, reasons: Mapping[str, str] | None = None
) -> None:
    """Run a program in the project's folder; if it fails, stop with the reason.

    :param reasons: by what it prints then; without one, the last line is all there is to say
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    for pattern, reason in (reasons or {}).items():
        if re.search(pattern, done.stdout, re.IGNORECASE):
            stop(f"{trouble}: {reason}.")
    last = (done.stdout.strip().splitlines() or [f"status {done.returncode}"])[-1].strip()
    stop(f"{trouble} ({last})")
