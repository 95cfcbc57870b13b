"""Everyone at a board, and what no process tells another one any more.

Games can be cancelled, clocks wait until a game is opened, and doors close. Records hold the score,
no address that has sent a wrong key is kept, and the journal knows whom a line is about.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

# Scores outlived a reset of the standings, and knew games from before there were records.
_EARLIER = """
    UPDATE records SET earlier = coalesce((
        SELECT CASE WHEN scores.won > records.won THEN 'w'
            WHEN scores.drawn > records.drawn THEN 'd' ELSE '' END
        FROM scores WHERE scores.player = records.player AND scores.opponent = records.opponent
    ), '')
"""
_UNRECORDED = """
    INSERT INTO records (player, opponent, recent, won, drawn, lost, run, best_run)
    SELECT player, opponent, '', won, drawn, lost, 0, 0 FROM scores WHERE NOT EXISTS (
        SELECT 1 FROM records
        WHERE records.player = scores.player AND records.opponent = scores.opponent
    )
"""
# A player is 64 letters and digits; a list of rules that is as long has a colon.
_PEOPLE = "UPDATE records SET person = true WHERE length(opponent) = 64 AND opponent NOT LIKE '%:%'"
_LEFT = "UPDATE records SET recent = '' WHERE person AND opponent NOT IN (SELECT id FROM players)"


def upgrade() -> None:
    """Widen how a game ended, and add columns for tournaments and the journal."""
    for name in ("news", "presence"):
        op.drop_table(name)
    with op.batch_alter_table("games") as games:
        games.alter_column("outcome", type_=sa.String(9))
        games.alter_column("ending", type_=sa.String(9))
    cancelled = "UPDATE games SET outcome = 'cancelled', ending = 'cancelled'"
    op.execute(f"{cancelled} WHERE opponent = 'classmate' AND outcome = 'left'")
    for name in ("begun_at", "x_opened", "o_opened"):
        op.add_column("games", sa.Column(name, sa.BigInteger))
    op.add_column("games", sa.Column("joined", sa.String(1)))
    op.add_column(
        "tournaments", sa.Column("late", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.add_column(
        "entrants", sa.Column("barred", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("journal", sa.Column("player", sa.String(64)))
    op.drop_table("tries")
    op.drop_table("idle")
    op.drop_table("running")
    op.create_table(
        "tidying",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("looked_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tidying"),
    )
    op.add_column(
        "records", sa.Column("person", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("records", sa.Column("earlier", sa.String(1), nullable=False, server_default=""))
    for statement in (_EARLIER, _UNRECORDED, _PEOPLE, _LEFT):
        op.execute(statement)
    for table in ("scores", "ratings", "ranking"):
        op.drop_table(table)
