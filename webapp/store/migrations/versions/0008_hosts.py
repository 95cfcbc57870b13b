"""Who is signed in as the host, who has tried the key, and what a host has done."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add four tables."""
    op.create_table(
        "hosts",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hosts"),
    )
    op.create_table(
        "tries",
        sa.Column("line", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("line", name="pk_tries"),
    )
    op.create_table(
        "lesson",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("names_locked", sa.Boolean, nullable=False),
        sa.Column("paused_at", sa.BigInteger),
        sa.Column("wall_game", sa.String(22)),
        sa.Column("wall_moves", sa.String(9)),
        sa.Column("wall_at", sa.Integer, nullable=False),
        sa.Column("wall_values", sa.Boolean, nullable=False),
        sa.Column("wall_version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lesson"),
    )
    op.create_table(
        "journal",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("act", sa.String(8), nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("new", sa.String(80)),
        sa.PrimaryKeyConstraint("id", name="pk_journal"),
    )
