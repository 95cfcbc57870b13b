"""`tictactoe new`: a file to start your own engine from."""

import shlex
from pathlib import Path

import click

from webapp import programs

_STARTER = Path(programs.__file__).with_name("starter.py")  # copied, never imported


@click.command()
@click.argument("file", metavar="FILE.py", type=click.Path(path_type=Path))
def new(file: Path) -> None:
    """Write FILE.py, a first engine for you to change."""
    if file.suffix != ".py":
        raise click.ClickException(f"{file} does not end in .py; call it {file.stem or 'mine'}.py")
    name = shlex.quote(str(file))
    text = _STARTER.read_text(encoding="utf-8").replace("mine.py", name)
    try:
        with file.open("x", encoding="utf-8") as created:
            created.write(text)
    except FileExistsError as error:
        raise click.ClickException(f"{file} already exists, so it was left as it is") from error
    click.echo(f"{file} wins if it can, blocks if it must, and otherwise plays anywhere.")
    click.echo("Change it, and see how good it is:")
    click.echo(f"\n    tictactoe check {name}")
