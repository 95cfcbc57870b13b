"""`tictactoe doctor`: what is wrong with the installation, and what to do about it."""

from dataclasses import asdict

import click

from webapp.cli.options import AS_JSON, DATA, environment, show

_COLOURS = {"ok": "green", "warning": "yellow", "wrong": "red"}


@click.command()
@click.option("--url", metavar="ADDRESS", help="The address that visitors use.  [TTT_PUBLIC_URL]")
@DATA
@AS_JSON
@click.pass_context
def doctor(context: click.Context, url: str | None, data: str | None, for_scripts: bool) -> None:
    """Check the settings, the database, the disk and the site's address.

    It says what to do about each problem and changes nothing. If something is wrong, the exit
    status is 1.
    """
    from webapp.service.doctor import examine

    findings = list(examine(environment(data), url))
    lines = [
        f"{click.style(f'{finding.level:<7}', fg=_COLOURS[finding.level])}"
        f"  {finding.about:<11}  {' '.join(finding.says.split())}"
        for finding in findings
    ]
    show(for_scripts, [asdict(finding) for finding in findings], "\n".join(lines))
    context.exit(int(any(finding.level == "wrong" for finding in findings)))
