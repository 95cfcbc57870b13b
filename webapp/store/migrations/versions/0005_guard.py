"""What is forgotten only after a day of running, and when the page of a challenge last asked."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add two tables and a column; nothing that is there changes."""
    op.create_table(
        "running",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seconds", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_running"),
    )
    op.create_table(
        "idle",
        sa.Column("kind", sa.String(6), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("marked_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "id", name="pk_idle"),
    )
    op.add_column("games", sa.Column("asked_at", sa.BigInteger))
