"""What a position is worth, shares, counts and moments, in words and figures."""

import json
from datetime import UTC, date, datetime
from fractions import Fraction

from webapp.core.board import Mark
from webapp.words.language import LOCALES, N_, READER, _, ngettext

_STYLES: dict[str, dict[str, str]] = json.loads((LOCALES / "figures.json").read_text("ascii"))
"""Each language's figures, from the CLDR; those of English are Britain's."""


def figure(value: float | Fraction, digits: int = 0) -> str:
    """Write a number with this many decimals.

    >>> figure(1234.5, 1), figure(5478)
    ('1,234.5', '5,478')
    """
    signs = str.maketrans({",": style()["group"], ".": style()["decimal"]})
    return f"{float(value):,.{digits}f}".translate(signs)


def signed(number: float | Fraction, digits: int) -> str:
    """Write a number with its sign.

    >>> signed(-1.5, 2), signed(0, 1)
    ('−1.50', '+0.0')
    """
    return ("\u2212" if number < 0 else "+") + figure(abs(float(number)), digits)


def style() -> dict[str, str]:
    return _STYLES.get(READER.get()) or _STYLES["en"]


def own_moves(plies: int) -> int:
    """Return how many of these plies are the winner's moves, the last one included.

    All pages and commands count so: an immediate win is a win in 1 move.
    """
    return (plies + 1) // 2


def prospect(value: int, distance: int) -> str:
    """Say briefly what playing a cell leads to; the move itself is counted.

    >>> prospect(1, 0), prospect(0, 4), prospect(-1, 3)
    ('win in 1', 'draw', 'loss in 2')
    """
    if value == 0:
        return _("draw")
    message = _("win in {moves}") if value > 0 else _("loss in {moves}")
    return message.format(moves=own_moves(distance + 1))


# By the value: 0, +1 for X, -1 for O.
_OUTLOOKS = (
    N_("{mark} to move: a draw"),
    N_("{mark} to move: X wins"),
    N_("{mark} to move: O wins"),
)


def outlook(turn: Mark, value: int) -> str:
    """Say whose turn it is, and who wins with best play: +1 is X, 0 no one, -1 O.

    >>> outlook(Mark.X, -1)
    'X to move: O wins'
    """
    return _(_OUTLOOKS[value]).format(mark=turn)


def positions_tried(number: int) -> str:
    return ngettext(
        "We checked the only position that it can get into.",
        "We checked all {number} positions that it can get into.",
        number,
    ).format(number=figure(number))


def wins_missed(number: int, positions: int) -> str:
    return _(
        "In {number} of the {positions} positions that it can get into, it might miss a win."
    ).format(number=figure(number), positions=figure(positions))


def exactly(fraction: Fraction) -> str:
    """Write a fraction, unless it is too long to read.

    >>> exactly(Fraction(191, 192)), exactly(Fraction(1, 3**99))
    ('191/192', 'a fraction with 49 digits')
    """
    digits = len(str(fraction.numerator)) + len(str(fraction.denominator))
    message = _("a fraction with {digits} digits")
    return str(fraction) if digits <= 40 else message.format(digits=figure(digits))


def percent(fraction: Fraction | float, digits: int = 1, form: str = "") -> str:
    """Write a percentage; only exact values are written as 0 or 100.

    >>> percent(Fraction(191, 192)), percent(Fraction(0)), percent(Fraction(1, 5000))
    ('99.5%', '0%', '<0.1%')
    """
    form = form or style()["percent"]
    if fraction in (0, 1):
        return form.format(int(fraction * 100))
    least, near, sign = 10.0**-digits, round(float(fraction) * 100, digits), ""
    if near in (0, 100):
        near, sign = (100 - least, ">") if near else (least, "<")
    return sign + form.format(figure(near, digits))


def whole_percent(fraction: Fraction) -> str:
    """Write a whole percentage without its sign.

    >>> whole_percent(Fraction(1, 1000)), whole_percent(Fraction(1, 2)), whole_percent(Fraction(1))
    ('<1', '50', '100')
    """
    return percent(fraction, 0, "{}")


def between(low: float, high: float, games: int) -> str:
    """Write a range of percentages, as finely as this number of games can tell.

    >>> between(0.0, 0.0038, 1000), between(0.4691, 0.5309, 1000), between(0, 0.0000038, 10**6)
    ('0–0.4%', '46.9–53.1%', '0–0.0004%')
    """
    digits = max(1, len(str(games)) - 3)
    shares = (figure(100 * share, 0 if share in (0, 1) else digits) for share in (low, high))
    return style()["percent"].format("–".join(shares))


def points(number: Fraction) -> str:
    """Write expected points or games; decimals show that they are not whole.

    >>> points(Fraction(31)), points(Fraction(100, 3)), points(Fraction(1, 1000))
    ('31', '33.33', '0.00')
    """
    return str(number) if number.denominator == 1 else figure(number, 2)


def sampling_error(games: float) -> str:
    """Write a count's sampling error in games.

    >>> sampling_error(0.447), sampling_error(1234.5)
    ('±0.4', '±1,234')
    """
    return f"±{figure(games, 1 if games < 9.95 else 0)}"


def moment(seconds: int) -> str:
    """Write the time of day of a moment, in the server's time zone."""
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%H:%M}"


def day(when: date) -> str:
    """Write a date, in which no line breaks."""
    months = style().get("months", "").split()
    return style()["date"].replace(" ", "\u00a0").format(when, *months[when.month - 1 :])
