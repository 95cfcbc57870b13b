"""Questions to the class, what was answered, and runs of puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables, empty."""
    op.create_table(
        "rounds",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("form", sa.String(4), nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("engine", sa.String(200)),
        sa.Column("mark", sa.String(1)),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
    )
    op.create_table(
        "polls",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("round", sa.String(22)),
        sa.Column("moves", sa.String(9), nullable=False),
        sa.Column("kind", sa.String(9)),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("life", sa.String(8), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_polls"),
    )
    op.create_index("ix_polls_number", "polls", ["number"], unique=True)
    op.create_index("ix_polls_round", "polls", ["round"])
    op.create_table(
        "answers",
        sa.Column("poll", sa.String(22), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("cell", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("poll", "player", name="pk_answers"),
    )
    op.create_index("ix_answers_player", "answers", ["player"])
    op.create_table(
        "runs",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("best", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_runs"),
    )
    op.add_column("lesson", sa.Column("wall_quiz", sa.String(22)))
