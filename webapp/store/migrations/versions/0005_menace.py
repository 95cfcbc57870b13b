"""The games that MENACE has learnt from."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table, empty."""
    op.create_table(
        "menace",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("player", sa.String(64)),
        sa.Column("rival", sa.String(9)),
        sa.Column("games", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_menace"),
    )
    op.create_index("ix_menace_player", "menace", ["player"])
