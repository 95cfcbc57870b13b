"""Learning: the basics, and the opponents one by one."""

import secrets

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.analysis import poster
from webapp.analysis.openings import chances, sharp
from webapp.analysis.puzzles import of_position
from webapp.analysis.worth import worth
from webapp.core.board import IllegalMove
from webapp.core.game import MENACE, boards, digits
from webapp.service import puzzles as alone
from webapp.service.refusals import Unacceptable, Unknown
from webapp.web import forms
from webapp.web.context import site
from webapp.web.identity import player
from webapp.web.present import paper as sheets
from webapp.web.present.engines import families
from webapp.web.present.learn import EXERCISES, exercise, learning, puzzle
from webapp.web.present.menace import cut_out
from webapp.web.respond import hx_redirect, page, part_or_page

pages = Blueprint("learn", __name__)


@pages.get("/learn")
def learn() -> ResponseReturnValue:
    """Show a position to find the best cell in, what came of a ``cell``, and the idea in words."""
    at = forms.text(request.args, "at", next(iter(EXERCISES)))
    if at not in EXERCISES:
        raise Unknown("There is no such exercise. The page Learn begins with the first.")
    cell = forms.cell(request.args) if "cell" in request.args else None
    if cell not in (None, *EXERCISES[at][1].legal_moves):
        raise Unacceptable("This cell is taken. Tap a free one.")
    shown = {**learning(), **exercise(at, cell)}
    return part_or_page("learn/_answer.html", "learn/learn.html", **shown)


# --- puzzles --------------------------------------------------------------------------------------


@pages.get("/puzzles")
def puzzles() -> ResponseReturnValue:
    """Show today's puzzle."""
    shown = puzzle(alone.todays(site()))
    return part_or_page("learn/_puzzle_answer.html", "learn/puzzles.html", run=None, **shown)


@pages.get("/puzzles/run")
def run() -> ResponseReturnValue:
    """Show the next puzzle of the player's run."""
    run, following = alone.run(site(), player())
    shown = puzzle(following)
    return part_or_page("learn/_puzzle_answer.html", "learn/puzzles.html", run=run, **shown)


@pages.post("/puzzles/run")
def run_again() -> ResponseReturnValue:
    """Begin another run after one that is over."""
    alone.run(site(), player(), again=True)
    return hx_redirect(url_for("learn.run"))


@pages.post("/puzzles/answer")
def answer() -> ResponseReturnValue:
    """Judge the ``cell`` that was tried in a ``position``; in a run it counts."""
    cell, moves = forms.cell(request.form), forms.moves(request.form, "position")
    try:
        found = of_position(boards(moves)[-1])
        if found is None:
            raise Unacceptable("There is no puzzle in this position: no move loses anything.")
        found.board.play(cell)
    except IllegalMove as error:
        raise Unacceptable.of(error) from error
    run = alone.answer(site(), player(), digits(moves), cell)
    shown = puzzle(found, cell)
    return part_or_page("learn/_puzzle_answer.html", "learn/puzzles.html", run=run, **shown)


@pages.get("/opponents")
def opponents() -> ResponseReturnValue:
    """Show every engine and how well it plays."""
    found = {
        family: [(engine, worth(engine)) for engine in engines]
        for family, engines in families(site().engines).items()
    }
    return page("learn/opponents.html", families=found)


@pages.get("/openings")
def openings() -> ResponseReturnValue:
    """Show the positions from which the games of a tournament may begin."""
    engine = site().engines["medium"]
    found = {opening: chances(opening, engine) for opening in sharp()}
    return page("learn/openings.html", openings=found, engine=engine)


# --- on paper -------------------------------------------------------------------------------------


@pages.get("/learn/paper")
def paper() -> ResponseReturnValue:
    """Offer the sheets to print."""
    return page("learn/paper.html", numbers=forms.ON_A_SHEET)


@pages.get("/learn/paper/rules")
def instructions() -> ResponseReturnValue:
    """Show the rules by which no one loses."""
    return page("learn/instructions.html", **sheets.instructions())


@pages.get("/learn/paper/puzzles")
def worksheet() -> ResponseReturnValue:
    """Show ``number`` puzzles of a ``kind`` and their solutions; without a ``seed``, any sheet."""
    kind, number, seed = forms.worksheet(request.args)
    named = kind.value if kind else forms.MIXED
    if seed is None:
        any_seed = 1 + secrets.randbelow(forms.MOST_SHEETS)
        address = url_for("learn.worksheet", kind=named, number=number, seed=any_seed)
        return redirect(address, 303)
    found = sheets.worksheet(kind, number, seed)
    return page("learn/worksheet.html", puzzles=found, kind=named, seed=seed)


@pages.get("/learn/paper/menace")
def matchboxes() -> ResponseReturnValue:
    """Show the boxes of MENACE, to be cut out, and how to play with them."""
    return page("learn/matchboxes.html", boxes=cut_out(), engine=site().engines[MENACE])


@pages.get("/learn/map")
def map_() -> ResponseReturnValue:
    """Show the whole game for a ``mark``, or what follows after some ``moves``."""
    mark, moves = forms.map_mark(request.args), forms.moves(request.args)
    try:
        node = poster.find(mark, moves)
    except IllegalMove as error:
        raise Unacceptable.of(error) from error
    if node is None:
        raise Unacceptable("This game is not on the map. Begin at the whole map.")
    top, counts = poster.top(mark), poster.ends(node)
    return page("learn/map.html", node=node, top=top, counts=counts, engine=site().engines["hard"])


# The slug of a function holds folders where files have the same name.
@pages.get("/opponents/<path:slug>", merge_slashes=False)
def opponent(slug: str) -> ResponseReturnValue:
    """Show one engine: its rules, its results, and whether it can be beaten."""
    if slug == MENACE:
        return redirect(url_for("menace.look"))
    engine = site().engines.get(slug)
    if engine is None:
        raise Unknown("There is no opponent with this name. The page Opponents lists them all.")
    return page("learn/opponent.html", engine=engine, worth=worth(engine))
