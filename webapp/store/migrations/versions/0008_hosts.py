"""Who is signed in as the host, and who has tried the key."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add two tables."""
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
