import pytest

from webapp.classroom import ALL, NONE, THREE, Lesson
from webapp.polls import Score


def table(*places: int) -> list[Score]:
    return [Score(player, place, 0, ()) for player, place in zip("abcdefg", places, strict=False)]


@pytest.mark.parametrize(
    "places, viewer, shown",
    [
        (ALL, "", "abcde"),
        (THREE, "", "abc"),
        (THREE, "b", "abc"),
        (THREE, "e", "abce"),
        (THREE, "z", "abc"),
        (NONE, "a", ""),
    ],
)
def test_a_table_is_shown_as_the_teacher_chooses(places: str, viewer: str, shown: str) -> None:
    lines = Lesson(places=places).shown(table(1, 2, 3, 4, 5), viewer)
    assert "".join(line.player for line in lines) == shown


def test_a_shared_place_is_not_cut_and_until_three_have_one_all_are_shown() -> None:
    for places, number in (((1, 2, 3, 3, 5), 4), ((1, 1, 1, 1), 4), ((1, 2, 0, 0), 4), ((1, 2), 2)):
        assert len(Lesson().shown(table(*places), "")) == number
