"""`tictactoe doctor`: what is wrong with the installation, and what to do about it."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from webapp.cli.options import AS_JSON, DATA, print_json

if TYPE_CHECKING:
    from webapp.service.findings import Finding

_COLOURS = {"ok": "green", "warning": "yellow", "wrong": "red"}


@click.command()
@click.option("--url", metavar="ADDRESS", help="Visit the site by this address too.")
@DATA
@AS_JSON
@click.pass_context
def doctor(context: click.Context, url: str | None, data: str | None, for_scripts: bool) -> None:
    """Check settings, disk, database, clock and address.

    Ends with exit status 1 where something is wrong.
    """
    findings = _examine({**os.environ, **({"TTT_DATA": data} if data else {})}, url)
    if for_scripts:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            click.echo(_line(finding))
    context.exit(int(any(finding.level == "wrong" for finding in findings)))


def _examine(environ: dict[str, str], url: str | None) -> list[Finding]:
    from webapp.service import doctor, reachability

    settings, findings = doctor.check_settings(environ)
    if settings is None:
        return findings
    if settings.postgres:
        findings += [doctor.check_database(settings), *doctor.check_postgres(settings)]
    else:
        findings += [*doctor.check_folder(settings), doctor.check_space(settings)]
        findings += [doctor.check_database(settings)]
    findings += [doctor.check_clock(settings), reachability.check_port(settings)]
    if url:
        findings += reachability.check_site(url)
    return findings


def _line(finding: Finding) -> str:
    level = click.style(f"{finding.level:<7}", fg=_COLOURS[finding.level])
    advice = f": {finding.advice}" if finding.advice else ""
    return f"{level}  {finding.about:<11}  {' '.join(finding.says.split())}{advice}"
