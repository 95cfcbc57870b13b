"""Tournaments: who is in them, their matches, and the games of these."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add three tables, and what a game knows of its match."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("format", sa.String(5), nullable=False),
        sa.Column("opening", sa.String(5), nullable=False),
        sa.Column("clock", sa.Integer, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("elapsed", sa.BigInteger, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("round_over", sa.BigInteger),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_number", "tournaments", ["number"], unique=True)
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(22), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("joined", sa.Integer, nullable=False),
        sa.Column("playing", sa.Boolean, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("free_since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "player", name="pk_entrants"),
    )
    op.create_table(
        "matches",
        sa.Column("tournament", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("one", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64)),
        sa.Column("opening", sa.String(9), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("first_game", sa.String(22)),
        sa.Column("second_game", sa.String(22)),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_matches"),
    )
    op.add_column("lesson", sa.Column("wall_tournament", sa.String(22)))
    op.add_column("games", sa.Column("tournament", sa.String(22)))
    op.add_column("games", sa.Column("clock", sa.Integer))
    op.add_column("games", sa.Column("moved_at", sa.BigInteger))
    op.create_index(
        "ix_games_tournament",
        "games",
        ["tournament"],
        sqlite_where=sa.text("tournament IS NOT NULL"),
        postgresql_where=sa.text("tournament IS NOT NULL"),
    )
