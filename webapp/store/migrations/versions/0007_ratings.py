"""The table that ranks the players, who computes it, and the last results."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_DUE = """
    INSERT INTO ratings (player, rating, games, met, changed, computed)
    SELECT DISTINCT player, 1000, 0, 0, 1, 0 FROM records
"""

_ENDED = "opponent = 'classmate' AND outcome > ''"


def upgrade() -> None:
    """Add two tables and an index."""
    op.create_index(
        "ix_games_ended",
        "games",
        ["updated_at"],
        sqlite_where=sa.text(_ENDED),
        postgresql_where=sa.text(_ENDED),
    )
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("shown", sa.Integer),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("met", sa.Integer, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("computed", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_ratings"),
    )
    op.create_index("ix_ratings_shown", "ratings", ["shown", "games"])
    op.create_index(
        "ix_ratings_due",
        "ratings",
        ["player"],
        sqlite_where=sa.text("computed <> changed"),
        postgresql_where=sa.text("computed <> changed"),
    )
    op.create_table(
        "ranking",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("holder", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ranking"),
    )
    op.execute(_DUE)
