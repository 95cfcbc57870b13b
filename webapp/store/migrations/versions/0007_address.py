"""The address that the teacher has chosen for the wall is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add it to what the teacher has chosen."""
    op.add_column("lesson", sa.Column("address", sa.String(255)))
