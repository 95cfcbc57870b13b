"""The tables of version 1.0.0."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all of them."""
    _create_players()
    _create_games()
    _create_host()
    _create_tournaments()


def _create_players() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("opponent", sa.String(200), nullable=False),
        sa.Column("mark", sa.String(9), nullable=False),
        sa.Column("last_mark", sa.String(1)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("name_key", sa.String(240)),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_index("ix_players_name_key", "players", ["name_key"], unique=True)
    op.create_table(
        "seeks",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_seeks"),
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
        sa.Column("person", sa.Boolean, nullable=False),
        sa.Column("earlier", sa.String(1), nullable=False),
        sa.PrimaryKeyConstraint("player", "opponent", name="pk_records"),
    )


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("kind", sa.String(11), nullable=False),
        sa.Column("engine", sa.String(200)),
        sa.Column("x_seat", sa.String(64)),
        sa.Column("o_seat", sa.String(64)),
        sa.Column("moves", sa.String(9), nullable=False),
        sa.Column("given", sa.Integer, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("hint", sa.Text),
        sa.Column("helped", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.String(9), nullable=False),
        sa.Column("ending", sa.String(9)),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("start_key", sa.String(64)),
        sa.Column("next_id", sa.String(22)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("code", sa.String(6)),
        sa.Column("rematch", sa.String(1)),
        sa.Column("joined", sa.String(1)),
        sa.Column("tournament", sa.String(22)),
        sa.Column("clock", sa.Integer),
        sa.Column("begun_at", sa.BigInteger),
        sa.Column("x_opened", sa.BigInteger),
        sa.Column("o_opened", sa.BigInteger),
        sa.Column("moved_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.UniqueConstraint("start_key", name="uq_games_start_key"),
    )
    op.create_index("ix_games_code", "games", ["code"], unique=True)
    for seat in ("x_seat", "o_seat"):
        columns = [seat, "outcome", "kind", "engine"]
        op.create_index(f"ix_games_{'_'.join(columns)}", "games", columns)
    going_on, over = (f"kind = 'two devices' AND outcome {how} ''" for how in "=>")
    for name, condition, *columns in (
        ("live", going_on, "updated_at"),
        ("ended", over, "updated_at"),
        ("x_ended", over, "x_seat", "updated_at"),
        ("o_ended", over, "o_seat", "updated_at"),
        ("tournament", "tournament IS NOT NULL", "tournament"),
    ):
        where = sa.text(condition)
        op.create_index(
            f"ix_games_{name}", "games", columns, sqlite_where=where, postgresql_where=where
        )


def _create_host() -> None:
    op.create_table(
        "tidying",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("looked_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tidying"),
    )
    op.create_table(
        "hosts",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hosts"),
    )
    op.create_table(
        "lesson",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("names_locked", sa.Boolean, nullable=False),
        sa.Column("paused_at", sa.BigInteger),
        sa.Column("wall_game", sa.String(22)),
        sa.Column("wall_moves", sa.String(9)),
        sa.Column("wall_at", sa.Integer, nullable=False),
        sa.Column("wall_values", sa.Boolean, nullable=False),
        sa.Column("wall_version", sa.Integer, nullable=False),
        sa.Column("wall_tournament", sa.String(22)),
        sa.PrimaryKeyConstraint("id", name="pk_lesson"),
    )
    op.create_table(
        "journal",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("act", sa.String(8), nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("new", sa.String(80)),
        sa.Column("player", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_journal"),
    )


def _create_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("format", sa.String(5), nullable=False),
        sa.Column("opening", sa.String(5), nullable=False),
        sa.Column("clock", sa.Integer, nullable=False),
        sa.Column("length", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("elapsed", sa.BigInteger, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("round_over", sa.BigInteger),
        sa.Column("late", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_number", "tournaments", ["number"], unique=True)
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(22), nullable=False),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("joined", sa.Integer, nullable=False),
        sa.Column("playing", sa.Boolean, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("free_since", sa.BigInteger, nullable=False),
        sa.Column("barred", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "player", name="pk_entrants"),
    )
    op.create_table(
        "matches",
        sa.Column("tournament", sa.String(22), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("one", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64)),
        sa.Column("opening", sa.String(9), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("first_game", sa.String(22)),
        sa.Column("second_game", sa.String(22)),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_matches"),
    )
