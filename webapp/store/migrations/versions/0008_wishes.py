"""What a player waits for is one row, also a game by a code: a game has two players."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_OPEN = "kind = 'two devices' AND outcome = '' AND (x_seat IS NULL OR o_seat IS NULL)"
_SOUGHT = "SELECT player, since, asked, NULL AS code, NULL AS mark, NULL AS game FROM seeks"
_INVITED = f"""
SELECT COALESCE(x_seat, o_seat) AS player, updated_at AS since, NULL AS asked, code,
  CASE WHEN o_seat IS NULL THEN 'x' ELSE 'o' END AS mark, id AS game
FROM games WHERE {_OPEN} ORDER BY updated_at
"""  # noqa: S608


def upgrade() -> None:
    """Make wishes of whom players look for and ask, and of the games with a free seat."""
    wishes = op.create_table(
        "wishes",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.String(64)),
        sa.Column("code", sa.String(6)),
        sa.Column("mark", sa.String(1)),
        sa.Column("game", sa.String(22)),
        sa.PrimaryKeyConstraint("player", name="pk_wishes"),
    )
    op.create_index("ix_wishes_code", "wishes", ["code"], unique=True)
    asked = (op.get_bind().execute(sa.text(ask)).mappings() for ask in (_SOUGHT, _INVITED))
    op.bulk_insert(wishes, [*{row["player"]: dict(row) for some in asked for row in some}.values()])
    op.execute(f"DELETE FROM games WHERE {_OPEN}")  # noqa: S608
    op.drop_table("seeks")
    op.drop_index("ix_games_code", "games")
    op.drop_column("games", "code")
