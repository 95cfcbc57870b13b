"""Names of players, games between two of them, and what everybody did against everybody."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# Nobody who still plays may look idle, or the server would forget them as soon as it has started.
_SEEN = """
    UPDATE players SET seen_at = (
        SELECT max(moment) FROM (
            SELECT players.created_at AS moment
            UNION ALL SELECT updated_at FROM games WHERE x_seat = players.id
            UNION ALL SELECT updated_at FROM games WHERE o_seat = players.id
        ) AS moments
    )
"""


def upgrade() -> None:
    """Add the columns and the table; players known already get a name when they next play."""
    op.add_column("players", sa.Column("name", sa.String(80)))
    op.add_column("players", sa.Column("name_key", sa.String(240)))
    op.add_column(
        "players", sa.Column("seen_at", sa.BigInteger, nullable=False, server_default="0")
    )
    op.execute(_SEEN)
    op.create_index("ix_players_name_key", "players", ["name_key"], unique=True)

    op.add_column("games", sa.Column("code", sa.String(6)))
    op.add_column("games", sa.Column("ending", sa.String(6)))
    op.add_column("games", sa.Column("rematch", sa.String(1)))
    op.create_index("ix_games_code", "games", ["code"], unique=True)
    op.create_index(
        "ix_games_live",
        "games",
        ["updated_at"],
        sqlite_where=sa.text("opponent = 'classmate' AND outcome = ''"),
        postgresql_where=sa.text("opponent = 'classmate' AND outcome = ''"),
    )

    op.create_table(
        "records",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("opponent", sa.String(200), nullable=False),
        sa.Column("recent", sa.String(5), nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("best_run", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", "opponent", name="pk_records"),
    )
