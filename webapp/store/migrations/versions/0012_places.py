"""The teacher chooses whose places the class sees."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    new = sa.Column("places", sa.String(5), nullable=False, server_default="three")
    op.add_column("lesson", new)
