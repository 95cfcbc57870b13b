"""The moments of a tournament are milliseconds since 1970, and a game of one has a deadline."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

# They were milliseconds of the tournament's own clock, which had come to `elapsed`. As after a stop
# of the server, the clocks of games begin again in full.
_BRING_FORWARD = """
UPDATE entrants SET free_since = free_since + :now
  - (SELECT elapsed FROM tournaments WHERE id = entrants.tournament);
UPDATE matches SET since = since + :now
  - (SELECT elapsed FROM tournaments WHERE id = matches.tournament);
UPDATE tournaments SET round_over = round_over + :now - elapsed;
UPDATE tournaments SET ends_at = :now + length - elapsed
  WHERE format = 'arena' AND state = 'running';
UPDATE tournaments SET elapsed = :now WHERE state = 'running';
UPDATE games SET moved_at = :now + 1000 * clock
  + CASE WHEN length(moves) > given THEN 0 ELSE 10000 END
  WHERE tournament IS NOT NULL
"""


def upgrade() -> None:
    """Bring tournaments that are played forward, as of now: the next start closes the gap."""
    op.add_column("tournaments", sa.Column("ends_at", sa.BigInteger))
    now = {"now": int(1000 * time.time())}
    for statement in _BRING_FORWARD.split(";"):
        op.get_bind().execute(sa.text(statement), now)
    op.alter_column("tournaments", "elapsed", new_column_name="ticked_at")
    op.alter_column("games", "moved_at", new_column_name="deadline")
    for gone in ("begun_at", "x_opened", "o_opened"):
        op.drop_column("games", gone)
