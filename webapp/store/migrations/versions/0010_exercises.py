"""The exercises that a player has done are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    new = sa.Column("exercises", sa.Integer, nullable=False, server_default=sa.text("0"))
    op.add_column("runs", new)
