"""Where a lesson that is ready to teach stands is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("lesson", sa.Column("plan", sa.String(22)))
