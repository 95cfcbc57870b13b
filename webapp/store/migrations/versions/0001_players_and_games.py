"""The first schema: players and games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("opponent", sa.String(200), nullable=False),
        sa.Column("mark", sa.String(9), nullable=False),
        sa.Column("last_mark", sa.String(1)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("x_seat", sa.String(64)),
        sa.Column("o_seat", sa.String(64)),
        sa.Column("opponent", sa.String(200), nullable=False),
        sa.Column("moves", sa.String(9), nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("hint", sa.Text),
        sa.Column("helped", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.String(4), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("start_key", sa.String(64)),
        sa.Column("next_id", sa.String(22)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("start_key", name="uq_games_start_key"),
    )
    for seat in ("x_seat", "o_seat"):
        op.create_index(
            f"ix_games_{seat}_outcome_opponent_helped",
            "games",
            [seat, "outcome", "opponent", "helped"],
        )
