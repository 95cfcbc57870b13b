"""The table of all engines, the claims, experiments, lists of rules: the pages of the lab."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from webapp import words
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Matchup, matchup, table
from webapp.analysis.simulate import SURE, deviation, experiment, sampling_error
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.engines.base import Engine, EngineFault
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.web.present.engines import (
    BarView,
    EngineView,
    ShareView,
    bar,
    present_engine,
)

# --- the table --------------------------------------------------------------------------------


class HeatView(NamedTuple):
    """One cell of the table: what X won and lost, in percent, and how warm that is.

    :param tone: ``x4`` where X wins it all, by way of ``even`` to ``o4``
    """

    x: str
    o: str
    won: str
    lost: str
    tone: str
    label: str
    chosen: bool


class PairView(NamedTuple):
    """One engine against another, exactly."""

    x: str
    o: str
    title: str
    bar: BarView
    command: str


class ClaimView(NamedTuple):
    """What a source claims, and the verdict.

    :param games: a label, the cells and the mark of the one who beats the engine, to step through
    """

    source: str
    slug: str
    name: str
    text: str
    holds: bool
    games: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class LabView:
    """The first page of the lab.

    :param names: of the engines that head rows and columns, by slug
    :param left_out: own functions that fail, so that nothing can be computed of them
    """

    names: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, str, tuple[HeatView, ...]], ...]
    left_out: tuple[str, ...]
    pair: PairView
    claims: tuple[ClaimView, ...]


def present_lab(engines: Mapping[str, Engine], x: Engine, o: Engine) -> LabView:
    """Present the table, one pair of it exactly, and the claims.

    :raises EngineFault: if one of the pair does not answer as it ought
    """
    sound, left_out = _sound(engines.values())
    found = table(sound)
    rows = tuple(
        (
            row.slug,
            row.name,
            tuple(
                _heat(row, column, found[row.slug, column.slug], chosen=(row, column) == (x, o))
                for column in sound
            ),
        )
        for row in sound
    )
    return LabView(
        tuple((engine.slug, engine.name) for engine in sound),
        rows,
        left_out,
        present_pair(x, o),
        _claims(),
    )


def present_pair(x: Engine, o: Engine) -> PairView:
    """Present one engine against another.

    :raises EngineFault: if one of them does not answer as it ought
    """
    return PairView(
        x.slug,
        o.slug,
        _pairing(x, o),
        bar(f"{x.name} against {o.name}", matchup(x, o)),
        _command("matchup", x.slug, o.slug),
    )


def _pairing(x: Engine, o: Engine) -> str:
    return f"{_called(x)} as X against {_called(o)} as O"


def _called(engine: Engine) -> str:
    """The name of an engine; lists of rules, which share one, are told apart by their rules."""
    if not engine.slug.startswith(PREFIX):
        return engine.name
    return f"{engine.name} ({engine.slug.removeprefix(PREFIX).replace(',', ', ')})"


def _sound(engines: Iterable[Engine]) -> tuple[list[Engine], tuple[str, ...]]:
    sound, left_out = [], []
    for engine in engines:
        try:
            worth(engine)
        except EngineFault:
            left_out.append(engine.name)
        else:
            sound.append(engine)
    return sound, tuple(left_out)


def _heat(x: Engine, o: Engine, found: Matchup, *, chosen: bool) -> HeatView:
    warmth = round(float(found.x_wins - found.o_wins) * 4)
    tone = "even" if warmth == 0 else f"{'x' if warmth > 0 else 'o'}{abs(warmth)}"
    won, lost = words.whole_percent(found.x_wins), words.whole_percent(found.o_wins)
    label = f"{x.name} as X against {o.name}: won {won} %, lost {lost} %"
    return HeatView(x.slug, o.slug, won, lost, tone, label, chosen)


def _claims() -> tuple[ClaimView, ...]:
    return tuple(
        ClaimView(
            verdict.claim.source,
            verdict.claim.engine,
            ENGINES[verdict.claim.engine].name,
            verdict.claim.text,
            verdict.holds,
            tuple(
                (
                    f"as {found.mark}",
                    "".join(map(str, found.game)),
                    found.mark.other.slug,
                )
                for found in verdict.proofs
                if found.game
            ),
        )
        for verdict in verdicts()
    )


# --- the experiment ---------------------------------------------------------------------------


class CountView(NamedTuple):
    """One result of an experiment, counted beside expected.

    :param error: the sampling error, in games
    :param z: by how many standard deviations the count is off
    :param offset: the same for a drawing, from -1 to 1 over four deviations either way
    """

    result: str
    counted: str
    expected: str
    percent: str
    fraction: str
    error: str
    z: str
    offset: float


@dataclass(frozen=True, slots=True)
class ExperimentView:
    """An experiment: games played and counted, beside what is expected.

    :param chance: whether chance has a say in any of the counts
    """

    x: str
    o: str
    games: int
    seed: str
    title: str
    counts: tuple[CountView, ...]
    command: str
    longer: str
    chance: bool
    verdict: str

    @property
    def announcement(self) -> str:
        """What a screen reader says of it."""
        return " ".join(f"{count.result} {count.counted}." for count in self.counts)


_MOST_DEVIATIONS = 4


def present_experiment(x: Engine, o: Engine, games: int, seed: str) -> ExperimentView:
    """Play an experiment, or present it again.

    :raises EngineFault: if one of them does not answer as it ought
    """
    counted, exact = experiment(x, o, games, seed), matchup(x, o)
    rows = (
        (
            f"{x.name} wins" if o.name != x.name else f"{x.name} wins as X",
            counted.x_wins,
            exact.x_wins,
        ),
        ("Draws", counted.draws, exact.draws),
        (
            f"{o.name} wins" if o.name != x.name else f"{o.name} wins as O",
            counted.o_wins,
            exact.o_wins,
        ),
    )
    chance = any(value not in (0, 1) for _, _, value in rows)
    return ExperimentView(
        x.slug,
        o.slug,
        games,
        seed,
        f"{_pairing(x, o)}, {words.times(games)}",
        tuple(_count(name, count, games, value) for name, count, value in rows),
        _simulation(x, o, games, seed),
        _simulation(x, o, 1_000_000, seed),
        chance,
        _outcome(games, rows)
        if chance
        else "Every game between these two has the same result, so chance moves no count.",
    )


def _simulation(x: Engine, o: Engine, games: int, seed: str) -> str:
    return _command("simulate", x.slug, o.slug, "--games", str(games), "--seed", seed)


def _outcome(games: int, rows: Iterable[tuple[str, int, Fraction]]) -> str:
    """Say whether the counts lie as near to the expected ones as they mostly do."""
    far = [name for name, count, value in rows if abs(deviation(count, games, value)) > SURE]
    if not far:
        return "Every count lies within its sampling error."
    return f"Further off than the sampling error: {', '.join(far)}."


def _count(name: str, count: int, games: int, value: Fraction) -> CountView:
    z = deviation(count, games, value)
    return CountView(
        name,
        f"{count:,}",
        f"{float(games * value):,.1f}",
        words.percent(value),
        str(value),
        words.sampling_error(sampling_error(games, value)),
        "0" if value in (0, 1) else f"{z:+.2f}".replace("-", "\u2212"),
        max(-1.0, min(1.0, z / _MOST_DEVIATIONS)),
    )


def _command(name: str, *arguments: str) -> str:
    """The command that prints the same figures."""
    return shlex.join(["tictactoe", name, *arguments])


# --- the rule lab -----------------------------------------------------------------------------


class RuleView(NamedTuple):
    """A rule of the list, and the lists that a press of its buttons makes.

    :param up: empty where it is the first already; likewise ``down`` and ``without``
    :param reached: whether the rules before it leave it anything
    """

    slug: str
    text: str
    up: str
    down: str
    without: str
    reached: bool


@dataclass(frozen=True, slots=True)
class RuleLabView:
    """The rule lab.

    :param listed: the list as its address has it, such as ``win,block``
    :param others: rules that are not in the list, and the list with each of them
    :param won: what it wins against random play, by mark
    :param changed: what the last change did, in a sentence; empty for none
    """

    listed: str
    rules: tuple[RuleView, ...]
    others: tuple[tuple[str, str, str], ...]
    engine: EngineView
    won: tuple[tuple[str, ShareView], ...]
    changed: str
    command: str

    @property
    def announcement(self) -> str:
        """What a screen reader says after a change: the verdict as well, if there is room."""
        said = f"{self.engine.verdict}. {self.changed}"
        return said if len(said.split()) <= words.MOST_AT_ONCE else self.changed


def present_rules(listed: str, before: str) -> RuleLabView:
    """Present a list of rules with what it is worth.

    :param before: the list before the last change; may be empty
    :raises UnknownRules: if one of them cannot be read
    """
    engine = rule_list(PREFIX + listed)
    old = rule_list(PREFIX + before) if before else None
    slugs = listed.split(",")
    shown = present_engine(engine, old)
    won = tuple((str(mark), bar.shares[0]) for mark, bar in zip(Mark, shown.bars, strict=False))
    return RuleLabView(
        listed,
        tuple(_rule(slugs, at) for at in range(len(slugs))),
        tuple(
            (slug, rule.text, ",".join([*slugs, slug]))
            for slug, rule in LAB_RULES.items()
            if slug not in slugs
        ),
        shown,
        won,
        _changed(engine, old, won) if old else "",
        _command("check", engine.slug),
    )


def _rule(slugs: Sequence[str], at: int) -> RuleView:
    slug, others = slugs[at], [*slugs[:at], *slugs[at + 1 :]]

    def moved(to: int) -> str:
        return ",".join([*others[:to], slug, *others[to:]])

    return RuleView(
        slug,
        LAB_RULES[slug].text,
        up=moved(at - 1) if at else "",
        down=moved(at + 1) if at < len(slugs) - 1 else "",
        without=",".join(others),
        reached="any" not in slugs[:at],
    )


def _changed(engine: Engine, before: Engine, won: Iterable[tuple[str, ShareView]]) -> str:
    """Say whether the last change made the list beatable, or unbeatable; else what it wins by it.

    :param won: what it wins against random play, by mark
    """
    now, old = worth(engine).proofs, worth(before).proofs
    turned = [mark for mark in now if now[mark].beatable is not old[mark].beatable]
    said = [
        f"It can {can} be beaten as {' and '.join(marks)}."
        for beatable, can in ((True, "now"), (False, "no longer"))
        if (marks := [str(mark) for mark in turned if now[mark].beatable is beatable])
    ]
    if said:
        return " ".join(said)
    gained = [
        f"{share.change[1:]} points {'more' if share.change[0] == '+' else 'less'} as {mark}"
        for mark, share in won
        if share.change
    ]
    return f"Against random play it wins {', '.join(gained) or 'as often as before'}."
