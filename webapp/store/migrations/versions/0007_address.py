"""The address that the teacher has chosen for the wall, and the id of the database, are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the address; make the table of the id, empty: the start that finds it so draws one."""
    op.add_column("lesson", sa.Column("address", sa.String(255)))
    id_ = sa.Column("id", sa.String(8), nullable=False)
    op.create_table("ids", id_, sa.PrimaryKeyConstraint("id", name="pk_ids"))
