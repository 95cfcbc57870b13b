"""The score against each opponent, which was counted from all games at every move."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# Each player's unassisted games against engines. Those between two people were never counted from
# the games, but kept as records.
_FROM_GAMES = """
    INSERT INTO scores (player, opponent, won, drawn, lost)
    SELECT player, opponent,
        sum(CASE WHEN outcome = mark THEN 1 ELSE 0 END),
        sum(CASE WHEN outcome = 'draw' THEN 1 ELSE 0 END),
        sum(CASE WHEN outcome NOT IN (mark, 'draw') THEN 1 ELSE 0 END)
    FROM (
        SELECT x_seat AS player, 'x' AS mark, opponent, outcome FROM games
        WHERE x_seat IS NOT NULL AND outcome > '' AND NOT helped
        UNION ALL
        SELECT o_seat, 'o', opponent, outcome FROM games
        WHERE o_seat IS NOT NULL AND outcome > '' AND NOT helped
    ) AS finished
    WHERE opponent NOT IN ('friend', 'classmate')
    GROUP BY player, opponent
"""
_FROM_RECORDS = """
    INSERT INTO scores (player, opponent, won, drawn, lost)
    SELECT player, opponent, won, drawn, lost FROM records
    WHERE opponent IN (SELECT id FROM players)
"""


def upgrade() -> None:
    """Add the table, and fill it with what the pages have shown so far."""
    op.create_table(
        "scores",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("opponent", sa.String(200), nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", "opponent", name="pk_scores"),
    )
    op.execute(_FROM_GAMES)
    op.execute(_FROM_RECORDS)
