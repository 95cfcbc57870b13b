"""The table of all engines, the claims, experiments, lists of rules: the pages of the lab.

A list of rules that cannot be read raises ``UnknownRules``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webapp import words
from webapp.analysis.claims import Verdict, verdicts
from webapp.analysis.matchup import Matchup, matchup, table
from webapp.analysis.simulate import SURE, Compared, compare, experiment
from webapp.analysis.worth import worth
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.web.present.engines import BarView, EngineView, ShareView, bar, present_engine
from webapp.words.language import N_, _, ngettext

# --- the table --------------------------------------------------------------------------------


MOST_OWN = 6
"""How many of the host's functions fit in the table; more than these play in the league only."""


class PairView(NamedTuple):
    """One engine against another, exactly."""

    x: Engine
    o: Engine
    title: str
    bar: BarView


class LabView(NamedTuple):
    """The first page of the lab.

    :param shown: the engines of the table
    :param table: results by slugs, X's first
    """

    engines: Mapping[str, Engine]
    shown: tuple[Engine, ...]
    table: Mapping[tuple[str, str], Matchup]
    pair: PairView
    claims: tuple[Verdict, ...]


def present_lab(engines: Mapping[str, Engine], x: Engine, o: Engine) -> LabView:
    """Present the table, one pair of it exactly, and the claims."""
    own = len(engines) - len(ENGINES)
    shown = tuple((engines if own <= MOST_OWN else ENGINES).values())
    return LabView(engines, shown, table(shown), present_pair(x, o), verdicts())


def present_pair(x: Engine, o: Engine) -> PairView:
    """Present one engine against another."""
    title = _("{x} as X against {o} as O").format(x=words.called(x), o=words.called(o))
    against = _("{x} against {o}").format(x=x.name, o=o.name)
    return PairView(x, o, title, bar(against, matchup(x, o)))


def tone(found: Matchup) -> str:
    """How warm a cell of the table is: ``x4`` where X wins it all, by way of ``even`` to ``o4``."""
    warmth = round(float(found.x_wins - found.o_wins) * 4)
    return "even" if warmth == 0 else f"{'x' if warmth > 0 else 'o'}{abs(warmth)}"


# --- the experiment ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExperimentView:
    """An experiment: what each result is called, and how often it was counted and expected.

    :param chance: whether chance changes any of the counts
    """

    x: Engine
    o: Engine
    games: int
    seed: str
    title: str
    counts: tuple[tuple[str, Compared], ...]
    chance: bool
    verdict: str

    @property
    def announcement(self) -> str:
        """What a screen reader says of it."""
        message = _("{result}: {count}.")
        said = (message.format(result=what, count=f"{one.counted:,}") for what, one in self.counts)
        return " ".join(said)


def present_experiment(x: Engine, o: Engine, games: int, seed: str) -> ExperimentView:
    """Play an experiment, or present it again."""
    alike = x.name == o.name
    x_wins, o_wins = _("{name} wins as X"), _("{name} wins as O")
    if not alike:
        x_wins = o_wins = _("{name} wins")
    results = (x_wins.format(name=x.name), _("Draws"), o_wins.format(name=o.name))
    found = compare(experiment(x, o, games, seed), matchup(x, o))
    counts = tuple(zip(results, found, strict=True))
    far = [result for result, one in counts if abs(one.z) > SURE]
    chance = any(one.probability not in (0, 1) for one in found)
    if not chance:
        verdict = _("Every game between these two ends the same way, so chance changes no count.")
    elif far:
        message = _("Further off than the sampling error: {results}.")
        verdict = message.format(results=", ".join(far))
    else:
        verdict = _("Every count is within its sampling error.")
    title = ngettext(
        "{x} as X against {o} as O, once", "{x} as X against {o} as O, {number} times", games
    ).format(x=words.called(x), o=words.called(o), number=f"{games:,}")
    return ExperimentView(x, o, games, seed, title, counts, chance, verdict)


def deviations(one: Compared) -> str:
    """Write by how many standard deviations a count is off."""
    return "0" if one.probability in (0, 1) else f"{one.z:+.2f}".replace("-", "\u2212")


# --- the rule lab -----------------------------------------------------------------------------


class RuleView(NamedTuple):
    """A rule of the list, whether it is ever reached, and the lists that its buttons make.

    Where there is nothing to make, ``up``, ``down`` or ``without`` is empty.
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
    shown: EngineView
    won: tuple[tuple[Mark, ShareView], ...]
    changed: str

    @property
    def announcement(self) -> str:
        """What a screen reader says after a change: the verdict as well, if there is room."""
        said = f"{self.shown.verdict}. {self.changed}"
        return said if len(said.split()) <= words.MOST_AT_ONCE else self.changed


def present_rules(listed: str, before: str) -> RuleLabView:
    """Present a list of rules with what it is worth, and was before the last change, if any."""
    engine = rule_list(PREFIX + listed)
    old = rule_list(PREFIX + before) if before else None
    slugs = listed.split(",")
    shown = present_engine(engine, old)
    won = tuple((mark, bar.shares[0]) for mark, bar in zip(Mark, shown.bars, strict=False))
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


def _changed(engine: Engine, before: Engine, won: Iterable[tuple[Mark, ShareView]]) -> str:
    """Say whether the last change made the list beatable or unbeatable, else what it wins by it."""
    now, old = worth(engine).proofs, worth(before).proofs
    turned = [mark for mark in now if now[mark].beatable is not old[mark].beatable]
    if turned:
        said = [
            _(messages["".join(map(str, marks))])
            for beatable, messages in _TURNED.items()
            if (marks := [mark for mark in turned if now[mark].beatable is beatable])
        ]
        return " ".join(said)
    gained = {str(mark).lower(): _gained(share.change) for mark, share in won if share.change}
    return _(_GAINED["".join(gained)]).format(**gained)


_TURNED = {
    True: {
        "X": N_("It can now be beaten as X."),
        "O": N_("It can now be beaten as O."),
        "XO": N_("It can now be beaten as X and as O."),
    },
    False: {
        "X": N_("It can no longer be beaten as X."),
        "O": N_("It can no longer be beaten as O."),
        "XO": N_("It can no longer be beaten as X or as O."),
    },
}
"""What is said of the marks with which a list has become beatable, or is not any more."""

_GAINED = {
    "": N_("Against random play it wins as often as before."),
    "x": N_("Against random play it wins {x} as X."),
    "o": N_("Against random play it wins {o} as O."),
    "xo": N_("Against random play it wins {x} as X, {o} as O."),
}
"""What is said of the marks with which a list wins another share of its games."""


def _gained(change: str) -> str:
    message = _("{points} points more") if change.startswith("+") else _("{points} points less")
    return message.format(points=change[1:])
