"""The lab: all engines against all, the league, the claims, experiments, and lists of rules."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import Blueprint, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp import words
from webapp.analysis.claims import verdicts
from webapp.analysis.matchup import Matchup, matchup, table
from webapp.analysis.simulate import Z_95, Compared, compare, hundredths
from webapp.analysis.simulate import experiment as played
from webapp.analysis.worth import Worth, worth
from webapp.core.board import Mark
from webapp.core.game import digits, moves_of
from webapp.engines.base import ONLY_THE_BOARD, SOURCES, Engine
from webapp.engines.registry import ENGINES
from webapp.engines.rules import LAB_RULES, PREFIX, rule_list
from webapp.service.refusals import Unknown
from webapp.web import forms
from webapp.web.boards import Picture, of_game
from webapp.web.context import site
from webapp.web.engines import Bar, bars
from webapp.web.respond import page, part_or_page, wants_fragment
from webapp.words import figures
from webapp.words.language import N_, _, ngettext

pages = Blueprint("lab", __name__, url_prefix="/lab")

FIRST_LIST = "win,block,any"

MOST_GAMES = 10_000  # games that a request may play
MOST_OWN = 6  # the host's functions that fit in the table; with more, the table leaves them out


@pages.get("")
def lab() -> ResponseReturnValue:
    x, o = _engine("x", "medium"), _engine("o", "hard")
    engines = site().engines
    shown = list((engines if len(engines) - len(ENGINES) <= MOST_OWN else ENGINES).values())
    return part_or_page(
        "lab/_pair_answer.html",
        "lab/lab.html",
        x=x,
        o=o,
        title=_("{x} as X against {o} as O").format(x=words.called(x), o=words.called(o)),
        bar=Bar(
            _("{x} against {o}").format(x=words.named(x), o=words.named(o)),
            matchup(x, o).for_mark(Mark.X),
        ),
        engines=engines,
        shown=shown,
        table={} if wants_fragment() else table(shown),
        claims=verdicts(),
        league=current_app.extensions["league"],
        sources=SOURCES,
    )


@pages.get("/league")
def league() -> ResponseReturnValue:
    league = current_app.extensions["league"]
    if league is None:
        raise Unknown(
            "There is no league here: it takes at least two computer players that the class wrote."
        )
    return page("lab/league.html", league=league)


@pages.get("/experiment")
def experiment() -> ResponseReturnValue:
    """Play ``games`` of ``x`` against ``o`` with a ``seed``, beside the exact figures."""
    x, o = _engine("x", "medium"), _engine("o", "easy")
    if request.args.get("seed") == "":
        args: dict[str, Any] = request.args.to_dict() | {"seed": str(secrets.randbelow(MOST_GAMES))}
        return redirect(url_for("lab.experiment", **args), 303)
    seed = forms.seed(request.args, "1")
    number = forms.number(request.args, "games", 1, MOST_GAMES) or MOST_GAMES
    counts = _counted(x, o, number, seed)
    title = ngettext(
        "{x} as X against {o} as O, once", "{x} as X against {o} as O, {number} times", number
    ).format(x=words.called(x), o=words.called(o), number=figures.figure(number))
    return part_or_page(
        "lab/_experiment_answer.html",
        "lab/experiment.html",
        x=x,
        o=o,
        number=number,
        seed=seed,
        title=title,
        verdict=_verdict(counts),
        counts=counts,
        piles=hundredths([count.counted for count in counts.values()]),
        choices={one.slug: words.named(one) for one in (*site().engines.values(), x, o)}.items(),
        most=MOST_GAMES,
    )


@pages.get("/rules")
def rules() -> ResponseReturnValue:
    """Show what a ``list`` of rules is worth, and what it was worth ``from`` before the change."""
    listed = forms.text(request.args, "list", FIRST_LIST)
    before = forms.text(request.args, "from", "")
    engine = rule_list(PREFIX + listed)
    now, earlier = worth(engine), worth(rule_list(PREFIX + before)) if before else None
    return part_or_page(
        "lab/_answer.html",
        "lab/rules.html",
        title=_("Rule lab: {rules}").format(rules=words.rule_names(engine)),
        listed=listed,
        rules=LAB_RULES,
        engine=engine,
        worth=now,
        bars=bars(now, earlier),
        changed=_changed(now, earlier) if earlier else "",
    )


def _engine(field: str, otherwise: str) -> Engine:
    return forms.engine(request.args, field, site().engines) or site().engines[otherwise]


# --- the table --------------------------------------------------------------------------------


@pages.app_template_filter()
def tone(matchup: Matchup) -> str:
    """The colour of a cell of the table: from ``x4``, X wins it all, through ``even`` to ``o4``."""
    warmth = round(float(matchup.x_wins - matchup.o_wins) * 4)
    return "even" if warmth == 0 else f"{'x' if warmth > 0 else 'o'}{abs(warmth)}"


@pages.app_template_filter()
def lead(matchup: Matchup) -> str:
    """How many more of 100 games X wins than O does, with its sign."""
    more = matchup.x_wins - matchup.o_wins
    sign = "\u200e+" if more > 0 else "\u200e\u2212" if more else ""
    return sign + figures.whole_percent(abs(more))


# --- the experiment ---------------------------------------------------------------------------


def _counted(x: Engine, o: Engine, games: int, seed: str) -> dict[str, Compared]:
    """Play an experiment and compare each result with what was expected, by its name."""
    x_wins, o_wins = _("{name} wins as X"), _("{name} wins as O")
    if x.name != o.name:
        x_wins = o_wins = _("{name} wins")
    x_wins, o_wins = x_wins.format(name=words.named(x)), o_wins.format(name=words.named(o))
    compared = compare(played(x, o, games, seed), matchup(x, o))
    return dict(zip((x_wins, _("Draws"), o_wins), compared, strict=True))


def _verdict(counts: Mapping[str, Compared]) -> str:
    if far := [result for result, count in counts.items() if abs(count.z) > Z_95]:
        message = _("Outside the sampling error: {results}.")
        return message.format(results=words.listed(far))
    return _("All counts are within the sampling error.")


# --- the rule lab -----------------------------------------------------------------------------


@pages.app_template_filter()
def moved(slugs: Sequence[str], at: int, to: int) -> str:
    """The list after one rule has moved to another place."""
    others = [*slugs[:at], *slugs[at + 1 :]]
    return ",".join([*others[:to], slugs[at], *others[to:]])


def _changed(worth: Worth, before: Worth) -> str:
    """Say whether the last change made a list beatable or unbeatable; empty if neither."""
    now, old = worth.proofs, before.proofs
    said = []
    for beatable, messages in _TURNED.items():
        turned = (mark for mark in now if now[mark].beatable is beatable is not old[mark].beatable)
        said.append(messages.get("".join(map(str, turned)), ""))
    return words.sentences(*(_(message) for message in said if message))


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
"""By whether a list can be beaten now, and the marks for which that has changed."""


# --- the league -----------------------------------------------------------------------------------


class Course(NamedTuple):
    """The shortest decisive game of a pair, with the players' names and the winner's mark.

    :param forfeit: whether the loser has no answer where it ends
    """

    x: str
    o: str
    mark: Mark
    forfeit: bool
    moves: str

    @property
    def loser(self) -> str:
        return self.o if self.mark is Mark.X else self.x

    @property
    def ending(self) -> str:
        number = figures.own_moves(len(self.moves))
        if self.forfeit:
            message = _("{loser} gives no answer as {mark} and loses to {winner}.")
        else:
            message = ngettext(
                "{loser} loses as {mark} to {winner}, in {number} move.",
                "{loser} loses as {mark} to {winner}, in {number} moves.",
                number,
            )
        winner = self.x if self.mark is Mark.X else self.o
        return message.format(loser=self.loser, mark=self.mark.other, winner=winner, number=number)

    @property
    def picture(self) -> Picture:
        return of_game(moves_of(self.moves), self.ending.rstrip(".。"))


@dataclass(frozen=True, slots=True, eq=False)
class LeagueView:
    """A league as :func:`webapp.service.league.drawn_up` returns it, and its games."""

    ranking: Sequence[Mapping[str, Any]]
    pairs: Mapping[str, Mapping[str, Mapping[str, Any]]]
    absent: Sequence[Mapping[str, str]]
    games: Sequence[Course]
    proviso: str = ONLY_THE_BOARD

    def result(self, x: str, o: str) -> Matchup | None:
        """The result of ``x`` as X against ``o`` as O, by slugs; ``None`` against itself."""
        names = ("x_wins", "draws", "o_wins")
        return None if x == o else Matchup(**{name: self.pairs[x][o][name] for name in names})

    @property
    def beaten(self) -> list[Course]:
        """The shortest lost game of each engine that loses any."""
        lost = ([game for game in self.games if game.loser == row["name"]] for row in self.ranking)
        return [min(games, key=lambda game: len(game.moves)) for games in lost if games]


def present_league(league: Mapping[str, Any]) -> LeagueView:
    """Prepare a league for its pages, once at the start."""
    names = {row["slug"]: row["name"] for row in league["ranking"]}
    games = [
        Course(
            x=names[x],
            o=names[o],
            mark=Mark(pair["winner"].upper()),
            forfeit=pair["forfeit"],
            moves=digits(pair["game"]),
        )
        for x, others in league["pairs"].items()
        for o, pair in others.items()
        if pair["game"] is not None
    ]
    return LeagueView(**league, games=games)


@pages.app_template_filter()
def no_answer(positions: int) -> str:
    if not positions:
        return ""
    return ngettext(
        "no answer in {number} position", "no answer in {number} positions", positions
    ).format(number=figures.figure(positions))
