"""Tickets, by which a player goes on in another browser."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "tickets",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("waits", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_tickets"),
    )
    op.create_index("ix_tickets_code", "tickets", ["code"], unique=True)
    op.create_table(
        "browsers",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("player", sa.String(64)),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("offered", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_browsers"),
    )
    op.create_index("ix_browsers_player", "browsers", ["player"])
    op.add_column("lesson", sa.Column("who_at", sa.BigInteger))
