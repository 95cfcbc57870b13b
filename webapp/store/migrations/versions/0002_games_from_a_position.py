"""Games that begin from a position: how many of their moves were given."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; every game so far began on an empty board."""
    op.add_column("games", sa.Column("given", sa.Integer, nullable=False, server_default="0"))
