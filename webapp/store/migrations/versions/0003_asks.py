"""A player may look for one particular opponent, who may decline."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add whom a player asks, and who has declined."""
    op.add_column("seeks", sa.Column("asked", sa.String(64)))
    op.create_table(
        "declines",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("asked", sa.String(64), nullable=False),
        sa.Column("declined_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", "asked", name="pk_declines"),
    )
