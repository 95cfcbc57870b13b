"""The name that was dealt to each player last: their face stays when they choose another name."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Take the name that each player has for the one that was dealt."""
    op.add_column("players", sa.Column("dealt", sa.String(80)))
    op.execute("UPDATE players SET dealt = name")
