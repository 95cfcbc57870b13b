"""Who is here, and what pages wait for; the page of a challenge no longer asks for itself alone."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ENDED = "opponent = 'classmate' AND outcome > '' AND next_id IS NULL"


def upgrade() -> None:
    """Add two tables and two indexes, and remove a column that the first of the tables replaces."""
    op.create_table(
        "presence",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("has_left", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_presence"),
    )
    op.create_table(
        "news",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("here", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_news"),
    )
    for seat in "xo":
        op.create_index(
            f"ix_games_{seat}_ended",
            "games",
            [f"{seat}_seat", "updated_at"],
            sqlite_where=sa.text(_ENDED),
            postgresql_where=sa.text(_ENDED),
        )
    op.drop_column("games", "asked_at")
