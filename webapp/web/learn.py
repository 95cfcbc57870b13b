"""Learning: the basics, and the opponents one by one."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from webapp.analysis.openings import chances, sharp
from webapp.analysis.worth import worth
from webapp.service.refusals import Unknown
from webapp.web.context import site
from webapp.web.present.engines import families
from webapp.web.present.learn import learning
from webapp.web.respond import page

pages = Blueprint("learn", __name__)


@pages.get("/learn")
def learn() -> ResponseReturnValue:
    """Show what a threat and a fork are, how machines look ahead, and where to go from there."""
    return page("learn/learn.html", families=families(site().engines), **learning())


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


# The slug of a function holds folders where files have the same name.
@pages.get("/opponents/<path:slug>", merge_slashes=False)
def opponent(slug: str) -> ResponseReturnValue:
    """Show one engine: its rules, its results, and whether it can be beaten."""
    engine = site().engines.get(slug)
    if engine is None:
        raise Unknown("There is no opponent with this name. The page Opponents lists them all.")
    return page("learn/opponent.html", engine=engine, worth=worth(engine))
