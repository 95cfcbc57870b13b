"""The tables. May import ``core.game``.

A player is the SHA-256 of a random cookie that only the browser has. The only secrets here are the
codes of tickets.
"""

import sqlalchemy as sa

from webapp.core.game import Kind

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

versions = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The revision of the tables, in Alembic's own table."""

ids = sa.Table(
    "ids",
    metadata,
    sa.Column("id", sa.String(8), primary_key=True, comment="drawn once; there is one row"),
)
"""Distinguishes this database's cookies from those of others on the same host."""

players = sa.Table(
    "players",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of the cookie, in hex"),
    sa.Column("opponent", sa.String(200), nullable=False, comment="chosen for the next game"),
    sa.Column("mark", sa.String(9), nullable=False, comment="x, o or alternate"),
    sa.Column("last_mark", sa.String(1), comment="x or o: the mark last played"),
    sa.Column("created_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("name", sa.String(80), comment="null until one is dealt"),
    sa.Column("name_key", sa.String(240), comment="what names are compared by"),
    sa.Column("seen_at", sa.BigInteger, nullable=False, comment="when they last began a game"),
    sa.Column("dealt", sa.String(80), comment="the last name that was dealt, which gives the face"),
    sa.Index("ix_players_name_key", "name_key", unique=True),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True, comment="128 random bits"),
    sa.Column(
        "kind",
        sa.Enum(
            Kind, values_callable=lambda kinds: [kind.value for kind in kinds], native_enum=False
        ),
        nullable=False,
        comment="who plays whom",
    ),
    sa.Column("engine", sa.String(200), comment="its slug; null: the game is of another kind"),
    sa.Column("x_seat", sa.String(64), comment="the player of X; null: an engine"),
    sa.Column("o_seat", sa.String(64), comment="the player of O; null: an engine"),
    sa.Column("moves", sa.String(9), nullable=False, comment="the cells in order, such as 402"),
    sa.Column("given", sa.Integer, nullable=False, comment="how many there were when it began"),
    sa.Column("reasons", sa.Text, nullable=False, comment="JSON: one a move, null for a person's"),
    sa.Column("hint", sa.Text, comment="JSON: the cell suggested and why, until the next move"),
    sa.Column("helped", sa.Boolean, nullable=False, comment="hint, undo, given moves"),
    sa.Column("outcome", sa.String(9), nullable=False, comment="Outcome.slug; empty: it goes on"),
    sa.Column("ending", sa.String(9), comment="Outcome.ending; null: by the rules"),
    sa.Column("version", sa.Integer, nullable=False, comment="counts every change"),
    sa.Column("start_key", sa.String(64), unique=True, comment="SHA-256 of player and page key"),
    sa.Column("next_id", sa.String(22), comment="the game that followed"),
    sa.Column("created_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("updated_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("rematch", sa.String(1), comment="x or o: who asks for one"),
    sa.Column("tournament", sa.String(22), comment="the one that it belongs to"),
    sa.Column("clock", sa.Integer, comment="seconds for a move there"),
    sa.Column("deadline", sa.BigInteger, comment="milliseconds since 1970: of the move to come"),
    # Which games of a player go on, and against which engine. A move in mid-game changes neither.
    # Wide, so that SQLite prefers the narrower ones below for games that are over.
    sa.Index(None, "x_seat", "outcome", "kind", "engine"),
    sa.Index(None, "o_seat", "outcome", "kind", "engine"),
)


# Conditions of partial indexes, which the planner matches by text.
_GOING_ON = sa.text("kind = 'two devices' AND outcome = ''")
_OVER = sa.text("kind = 'two devices' AND outcome > ''")
_AT_COMPUTER = sa.text("kind = 'engine' AND outcome = ''")
_IN_TOURNAMENT = sa.text("tournament IS NOT NULL")
for _name, _condition, *_columns in (
    ("live", _GOING_ON, games.c.updated_at),  # few at a time, however many there are in all
    ("ended", _OVER, games.c.updated_at),
    ("computer", _AT_COMPUTER, games.c.updated_at),
    ("x_ended", _OVER, games.c.x_seat, games.c.updated_at),
    ("o_ended", _OVER, games.c.o_seat, games.c.updated_at),
    ("tournament", _IN_TOURNAMENT, games.c.tournament),
):
    sa.Index(f"ix_games_{_name}", *_columns, sqlite_where=_condition, postgresql_where=_condition)

wishes = sa.Table(
    "wishes",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("since", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("asked", sa.String(64), comment="the one asked for a game"),
    sa.Column("code", sa.String(6), comment="or what a classmate types to join"),
    sa.Column("mark", sa.String(1), comment="x or o: the player's, in the game by this code"),
    sa.Column("game", sa.String(22), comment="the id that this game will have"),
    sa.Index(None, "code", unique=True),
)
"""Players who want to play: anyone, a player they ask, or a classmate with their code."""

declines = sa.Table(
    "declines",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("asked", sa.String(64), primary_key=True, comment="who has declined"),
    sa.Column("declined_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
)
"""Requests that were declined within the last minutes."""

records = sa.Table(
    "records",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("opponent", sa.String(200), primary_key=True, comment="an engine, or a player"),
    sa.Column(
        "recent", sa.String(5), nullable=False, comment="w, d, l: the last five, for the ratings"
    ),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("run", sa.Integer, nullable=False, comment="games won in a row, up to now"),
    sa.Column("best_run", sa.Integer, nullable=False),
    sa.Column(
        "person", sa.Boolean, nullable=False, comment="whether the opponent is or was a player"
    ),
    sa.Column(
        "earlier", sa.String(1), nullable=False, comment="w, d: the best before the last reset"
    ),
)
"""The score against each opponent, and the results that rank the class."""

tidying = sa.Table(
    "tidying",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False, comment="there is one row"),
    sa.Column("looked_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
)
"""When a server last deleted idle players and games."""

hosts = sa.Table(
    "hosts",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True, comment="HMAC of the key by the cookie"),
    sa.Column("began_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
)
"""The teacher's sessions: browsers that have sent the key."""

lesson = sa.Table(
    "lesson",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False, comment="there is one row"),
    sa.Column("names_locked", sa.Boolean, nullable=False, comment="whether players keep theirs"),
    sa.Column("paused_at", sa.BigInteger, comment="seconds since 1970; null: the games go on"),
    sa.Column("wall_game", sa.String(22), comment="the wall shows this game"),
    sa.Column("wall_moves", sa.String(9), comment="or the game of these moves, step by step"),
    sa.Column("wall_at", sa.Integer, nullable=False, comment="after how many of them"),
    sa.Column("wall_values", sa.Boolean, nullable=False, comment="and what each cell is worth"),
    sa.Column(
        "wall_tournament", sa.String(22), comment="or the tournament; or blank, class, a page"
    ),
    sa.Column("wall_quiz", sa.String(22), comment="or how this round of questions has ended"),
    sa.Column("asked_at", sa.BigInteger, comment="as paused_at, for a question to the class"),
    sa.Column("address", sa.String(255), comment="the host by which others know this computer"),
    sa.Column("who_at", sa.BigInteger, comment="when browsers were asked who uses them"),
    sa.Column("places", sa.String(5), nullable=False, server_default="three"),
    sa.Column("plan", sa.String(22), comment="the step of a lesson that is ready to teach"),
)
"""The teacher's choices for the class."""

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True, comment="128 random bits"),
    sa.Column("number", sa.Integer, nullable=False, comment="in their order"),
    sa.Column("format", sa.String(5), nullable=False, comment="arena or swiss"),
    sa.Column("opening", sa.String(5), nullable=False, comment="empty or sharp"),
    sa.Column("clock", sa.Integer, nullable=False, comment="seconds for a move"),
    sa.Column("length", sa.BigInteger, nullable=False, comment="milliseconds, or rounds"),
    sa.Column("state", sa.String(7), nullable=False, comment="waiting, running or over"),
    sa.Column("ticked_at", sa.BigInteger, nullable=False, comment="milliseconds since 1970; or 0"),
    sa.Column("ends_at", sa.BigInteger, comment="likewise: the bell of an arena"),
    sa.Column("round", sa.Integer, nullable=False, comment="the one that is played; or 0"),
    sa.Column("round_over", sa.BigInteger, comment="since when, in milliseconds since 1970"),
    sa.Column("late", sa.Boolean, nullable=False, comment="late players may join"),
    sa.Column("created_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Index("ix_tournaments_number", "number", unique=True),
)

entrants = sa.Table(
    "entrants",
    metadata,
    sa.Column("tournament", sa.String(22), primary_key=True),
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("joined", sa.Integer, nullable=False, comment="in which round; 0: before it"),
    sa.Column("playing", sa.Boolean, nullable=False, comment="or out, or pausing"),
    sa.Column("missed", sa.Integer, nullable=False, comment="games in a row without appearing"),
    sa.Column("free_since", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
    sa.Column("barred", sa.Boolean, nullable=False, comment="put out by the host"),
)
"""Everyone who is or was in a tournament."""

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("tournament", sa.String(22), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, comment="in their order"),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("one", sa.String(64), nullable=False, comment="X in the first game"),
    sa.Column("other", sa.String(64), comment="null: a bye"),
    sa.Column("opening", sa.String(9), nullable=False, comment="the moves given"),
    sa.Column("step", sa.Integer, nullable=False, comment="1 and 3: a game, 2: between, 4: done"),
    sa.Column("since", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
    sa.Column("first_game", sa.String(22)),
    sa.Column("second_game", sa.String(22)),
)
"""The matches of a tournament, two games each."""

rounds = sa.Table(
    "rounds",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True, comment="128 random bits"),
    sa.Column("seconds", sa.Integer, nullable=False, comment="for an answer; 0: no limit"),
    sa.Column("engine", sa.String(200), comment="whom the class plays, in a vote"),
    sa.Column("mark", sa.String(1), comment="x or o: the class's, in a vote"),
    sa.Column("over", sa.Boolean, nullable=False, comment="whether it has come to its end"),
)
"""Series of questions to the class: quizzes, and games of the class with the computer."""

polls = sa.Table(
    "polls",
    metadata,
    sa.Column("id", sa.String(22), primary_key=True, comment="128 random bits"),
    sa.Column("number", sa.Integer, nullable=False, comment="in their order"),
    sa.Column("round", sa.String(22), comment="the one that it belongs to"),
    sa.Column("moves", sa.String(9), nullable=False, comment="the cells that lead to the position"),
    sa.Column("kind", sa.String(9), comment="what is asked for, such as win"),
    sa.Column("seconds", sa.Integer, nullable=False, comment="for an answer; 0: no limit"),
    sa.Column("life", sa.String(8), nullable=False, comment="waiting, open, closed ..."),
    sa.Column("since", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("counts_until", sa.BigInteger, comment="who came by then counts; null: everyone"),
    sa.Index("ix_polls_number", "number", unique=True),
    sa.Index(None, "round"),
)
"""Questions to the class."""

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("poll", sa.String(22), primary_key=True),
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("cell", sa.Integer, nullable=False),
    sa.Index(None, "player"),
)
"""Each player's answers."""

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("seed", sa.BigInteger, nullable=False, comment="draws the puzzles"),
    sa.Column("right", sa.Integer, nullable=False, comment="how many were solved"),
    sa.Column("wrong", sa.Integer, nullable=False, comment="how many were not"),
    sa.Column("best", sa.Integer, nullable=False, comment="the most ever solved in a run"),
    sa.Column("exercises", sa.Integer, nullable=False, server_default=sa.text("0")),
)
"""Each player's latest run of puzzles, and a bit for each exercise done, in order."""

menace = sa.Table(
    "menace",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False, comment="in order"),
    sa.Column("at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("player", sa.String(64), comment="whose game it was; null: training, or they left"),
    sa.Column("rival", sa.String(9), comment="against whom it was trained, such as hard"),
    sa.Column("games", sa.Text, nullable=False, comment="the moves of each, with spaces between"),
    sa.Column("life", sa.Text, comment="JSON: what all so far came to; of one lesson"),
    sa.Index(None, "player"),
)
"""The games that MENACE has learnt from."""

tickets = sa.Table(
    "tickets",
    metadata,
    sa.Column("player", sa.String(64), primary_key=True),
    sa.Column("code", sa.String(8), nullable=False, comment="what is typed or scanned"),
    sa.Column("made_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("waits", sa.Boolean, nullable=False, comment="the player has yet to come"),
    sa.Index(None, "code", unique=True),
)
"""By which players go on in another browser."""

browsers = sa.Table(
    "browsers",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of its cookie, in hex"),
    sa.Column("player", sa.String(64), comment="null: it has been signed out"),
    sa.Column("since", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("offered", sa.String(64), comment="for whom the teacher takes who uses it"),
    sa.Index(None, "player"),
)
"""Browsers that go on as another player than their cookie makes them."""

OF_PLAYERS = (
    *(players, games, wishes, records, tournaments, entrants),
    *(matches, rounds, polls, answers, runs, tickets, browsers, menace),
)
"""The tables about players; a database is empty if these are."""

KEPT = (ids, lesson, *OF_PLAYERS)
"""The tables that are copied to another database; others start empty there."""


def findable(text: str) -> bool:
    """Whether a typed text can be an id or a code; PostgreSQL rejects some characters."""
    return text.isascii() and text.isprintable()
