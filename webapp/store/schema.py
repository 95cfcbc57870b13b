"""The tables: players and games. May import SQLAlchemy only.

No table knows a secret: a player is the SHA-256 of the random cookie that only the browser holds.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of the cookie, in hex"),
    sa.Column("opponent", sa.String(200), nullable=False, comment="chosen for the next game"),
    sa.Column("mark", sa.String(9), nullable=False, comment="x, o or alternate"),
    sa.Column("last_mark", sa.String(1), comment="x or o: the mark last played"),
    sa.Column("created_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True, comment="128 random bits"),
    sa.Column("x_seat", sa.String(64), comment="the player of X; null: an engine"),
    sa.Column("o_seat", sa.String(64), comment="the player of O; null: an engine"),
    sa.Column("opponent", sa.String(200), nullable=False, comment="slug of the engine, or friend"),
    sa.Column("moves", sa.String(9), nullable=False, comment="the cells in order, such as 402"),
    sa.Column("reasons", sa.Text, nullable=False, comment="JSON: one a move, null for a person's"),
    sa.Column("hint", sa.Text, comment="JSON: the cell suggested and why, until the next move"),
    sa.Column("helped", sa.Boolean, nullable=False, comment="a hint or an undo: it counts nowhere"),
    sa.Column("outcome", sa.String(4), nullable=False, comment="x, o, draw, or empty"),
    sa.Column("version", sa.Integer, nullable=False, comment="counts every change"),
    sa.Column("start_key", sa.String(64), unique=True, comment="SHA-256 of player and page key"),
    sa.Column("next_id", sa.String(22), comment="the game that followed"),
    sa.Column("created_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("updated_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    # One index a seat serves both questions: which of my games are unfinished, and how many
    # against this opponent ended how. A move in mid-game changes neither.
    sa.Index(None, "x_seat", "outcome", "opponent", "helped"),
    sa.Index(None, "o_seat", "outcome", "opponent", "helped"),
)
