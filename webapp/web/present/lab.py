"""The table of all engines, experiments, lists of rules: what the pages of the lab compute."""

from collections.abc import Mapping, Sequence

from webapp import words
from webapp.analysis.matchup import Matchup, matchup
from webapp.analysis.simulate import SURE, Compared, compare, experiment
from webapp.analysis.worth import Worth
from webapp.core.board import Mark
from webapp.engines.base import Engine
from webapp.web.present.engines import Bar, bars
from webapp.words import figures
from webapp.words.language import N_, _, ngettext

# --- the table --------------------------------------------------------------------------------


def pair_title(x: Engine, o: Engine) -> str:
    """Say who plays whom."""
    return _("{x} as X against {o} as O").format(x=words.called(x), o=words.called(o))


def pair_bar(x: Engine, o: Engine) -> Bar:
    """How one engine fares against another, exactly."""
    title = _("{x} against {o}").format(x=words.named(x), o=words.named(o))
    return Bar(title, matchup(x, o).for_mark(Mark.X))


def tone(matchup: Matchup) -> str:
    """How warm a cell of the table is: ``x4`` where X wins it all, by way of ``even`` to ``o4``."""
    warmth = round(float(matchup.x_wins - matchup.o_wins) * 4)
    return "even" if warmth == 0 else f"{'x' if warmth > 0 else 'o'}{abs(warmth)}"


# --- the experiment ---------------------------------------------------------------------------


def counted(x: Engine, o: Engine, games: int, seed: str) -> dict[str, Compared]:
    """Play an experiment, or return it again: each result by what it is called."""
    x_wins, o_wins = _("{name} wins as X"), _("{name} wins as O")
    if x.name != o.name:
        x_wins = o_wins = _("{name} wins")
    x_wins, o_wins = x_wins.format(name=words.named(x)), o_wins.format(name=words.named(o))
    found = compare(experiment(x, o, games, seed), matchup(x, o))
    return dict(zip((x_wins, _("Draws"), o_wins), found, strict=True))


def by_chance(counts: Mapping[str, Compared]) -> bool:
    """Whether chance changes any of the counts."""
    return any(count.probability not in (0, 1) for count in counts.values())


def experiment_title(x: Engine, o: Engine, games: int) -> str:
    """Say who plays whom, and how often."""
    return ngettext(
        "{x} as X against {o} as O, once", "{x} as X against {o} as O, {number} times", games
    ).format(x=words.called(x), o=words.called(o), number=figures.figure(games))


def experiment_verdict(counts: Mapping[str, Compared]) -> str:
    """Say whether the counts are what chance lets expect."""
    if not by_chance(counts):
        return _("Every game between these two ends the same way, so chance changes no count.")
    if far := [result for result, count in counts.items() if abs(count.z) > SURE]:
        message = _("Further off than the sampling error: {results}.")
        return message.format(results=words.listed(far))
    return _("Every count is within its sampling error.")


def deviations(count: Compared) -> str:
    """Write by how many standard deviations a count is off."""
    return "0" if count.probability in (0, 1) else figures.signed(count.z, 2)


# --- the rule lab -----------------------------------------------------------------------------


def moved(slugs: Sequence[str], at: int, to: int) -> str:
    """The list in which the rule at one place has gone to another."""
    others = [*slugs[:at], *slugs[at + 1 :]]
    return ",".join([*others[:to], slugs[at], *others[to:]])


def changed(worth: Worth, before: Worth | None) -> str:
    """Say whether the last change made the list beatable or unbeatable, else what it wins by it."""
    if before is None:
        return ""
    now, old = worth.proofs, before.proofs
    turned = [mark for mark in now if now[mark].beatable is not old[mark].beatable]
    if turned:
        said = []
        for beatable, messages in _TURNED.items():
            marks = "".join(str(mark) for mark in turned if now[mark].beatable is beatable)
            said += [_(messages[marks])] if marks else []
        return words.sentences(*said)
    changes = {
        mark.slug: bar.changes[0] for mark, bar in zip(Mark, bars(worth, before), strict=False)
    }
    turns = "".join(f"{mark}{change[0]}" for mark, change in changes.items() if change)
    return _(_GAINED[turns]).format(**{mark: change[1:] for mark, change in changes.items()})


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
    "x+": N_("Against random play it wins {x} points more as X."),
    "x\u2212": N_("Against random play it wins {x} points less as X."),
    "o+": N_("Against random play it wins {o} points more as O."),
    "o\u2212": N_("Against random play it wins {o} points less as O."),
    "x+o+": N_("Against random play it wins {x} points more as X, {o} points more as O."),
    "x+o\u2212": N_("Against random play it wins {x} points more as X, {o} points less as O."),
    "x\u2212o+": N_("Against random play it wins {x} points less as X, {o} points more as O."),
    "x\u2212o\u2212": N_("Against random play it wins {x} points less as X, {o} points less as O."),
}
"""What is said of the marks with which a list wins another share of its games, in percentage
points: the places are figures such as 1.5 or <0.1."""
