"""The sources' claims and their published tables, against what is exactly so."""

from webapp.analysis.claims import CLAIMS, verdicts
from webapp.analysis.matchup import matchup
from webapp.analysis.simulate import compared
from webapp.core.board import Mark
from webapp.core.game import Game
from webapp.engines.registry import ENGINES

PUBLISHED = [
    # Engine, its mark, and how many of source C's games it won, drew and lost.
    ("corners", Mark.O, (8088, 1410, 501)),
    ("corners", Mark.X, (9689, 254, 57)),
    ("forks", Mark.O, (7764, 2036, 200)),
    ("forks", Mark.X, (9769, 231, 0)),
    ("fork-blocker", Mark.O, (8846, 1154, 0)),
    ("fork-blocker", Mark.X, (9731, 269, 0)),
]


def test_the_tables_of_source_c_are_what_chance_allows() -> None:
    for slug, mark, counts in PUBLISHED:
        easy, mind, games = ENGINES["easy"], ENGINES[slug], sum(counts)
        assert games in (9_999, 10_000)  # one of them adds up to 9,999 in the source
        pair = matchup(mind, easy) if mark is Mark.X else matchup(easy, mind)
        for count, probability in zip(counts, pair.for_mark(mark), strict=True):
            assert abs(compared(count, games, probability).z) <= 3


def test_of_the_sources_claims_one_is_false_and_comes_with_the_game_that_refutes_it() -> None:
    found = verdicts()
    assert len(found) == len(CLAIMS) == 8
    assert {verdict.claim.source for verdict in found} == set("ABCDE")
    (false,) = [verdict for verdict in found if not verdict.holds]
    assert (false.claim.source, false.claim.engine) == ("E", "scenarios")
    assert [verdict for verdict in found if verdict.losing_game] == [false]
    outcome = Game(false.losing_game or ()).outcome
    assert outcome
    assert outcome.winner
