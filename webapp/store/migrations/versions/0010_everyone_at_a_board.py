"""Games that are cancelled, clocks that wait until a game is opened, and doors that close."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Widen how a game ended, and add columns for tournaments."""
    for name in ("news", "presence"):
        op.drop_table(name)
    with op.batch_alter_table("games") as games:
        games.alter_column("outcome", type_=sa.String(9))
        games.alter_column("ending", type_=sa.String(9))
    cancelled = "UPDATE games SET outcome = 'cancelled', ending = 'cancelled'"
    op.execute(f"{cancelled} WHERE opponent = 'classmate' AND outcome = 'left'")
    for name in ("begun_at", "x_opened", "o_opened"):
        op.add_column("games", sa.Column(name, sa.BigInteger))
    op.add_column(
        "tournaments", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.add_column(
        "entrants", sa.Column("barred", sa.Boolean, nullable=False, server_default=sa.false())
    )
