"""What the server does by itself every day, with a clock that a test moves on."""

from tests.service.conftest import on_both
from tests.support.people import Clock, challenge, code_of, name_of, played_out, player_of, sit_down
from tests.support.visitor import Site, Visitor
from webapp.service import players
from webapp.service import teacher as acts
from webapp.service.site import Site as Service
from webapp.service.teacher import DAY, IDLE_DAYS, UNFINISHED_DAYS


@on_both
def test_idle_players_are_forgotten(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    host = site.service
    played_out(alice)
    clock.goes_on(DAY)
    kept = played_out(bob).address
    clock.goes_on((IDLE_DAYS - 1) * DAY + 1)
    acts.tidy(host)
    clock.goes_on(DAY - 1)
    acts.tidy(host)
    assert len(site.dump()["players"]) == 2, "she has been seen to be idle for less than a day"
    clock.goes_on(1)
    acts.tidy(host)
    assert (name_of(alice), bool(name_of(bob))) == ("", True)
    left = site.dump()
    assert [row[0] for row in left["games"]] == [kept.removeprefix("/games/")]
    assert [len(left[table]) for table in ("players", "records")] == [1, 1]


def test_an_unfinished_game_goes(site: Site, clock: Clock, alice: Visitor, bob: Visitor) -> None:
    kept, played_on = played_out(alice).address, sit_down(site.visitor(), site.visitor())
    games = [alice.start(opponent, "x", cell=4).address for opponent in ("hard", "friend")]
    games += [sit_down(alice, bob).address, f"/join/{code_of(challenge(site.visitor()))}"]
    clock.goes_on(UNFINISHED_DAYS * DAY + 1)
    played_on.play("0")
    for status in (200, 404):
        acts.tidy(site.service)
        assert {alice.get(game).status for game in games} == {status}
        clock.goes_on(DAY)
    assert alice.get(kept).status == alice.get(played_on.address).status == 200
    assert name_of(alice)


def test_games_stay_without_a_name(site: Site, host: Service, alice: Visitor, bob: Visitor) -> None:
    played = sit_down(alice, bob)
    played.play("03142")
    for opponent in ("easy", "friend"):
        alice.start(opponent, "x", cell=4)
    going = sit_down(alice, bob)
    going.play("03")
    name, player = name_of(alice), player_of(alice)
    players.forget(host, player)
    left = site.dump()
    assert {row[0] for row in left["games"]} == {one.address[7:] for one in (played, going)}
    assert site.stored(going.address)["outcome"] == "o", "it is given up"
    assert player not in str(left)
    assert [row[5] for row in left["players"]] == [name_of(bob)]
    page = bob.get(played.address).text
    assert (name in page, "A player who left" in page) == (False, True)
    assert "Lost to a player who left" in bob.get("/you").text
    challenge(bob)
    players.forget(host, player_of(bob))
    left = site.dump()
    assert (left["players"], left["games"], left["records"]) == ([], [], []), "no one has them"
