"""Less is kept, and names are compared by their letters; what questions and MENACE need besides."""

from random import SystemRandom

import sqlalchemy as sa
from alembic import op

from webapp.names import generated, key

revision = "0006"
down_revision = "0005"

_HOME = "SELECT id FROM rounds WHERE form = 'home'"
_GOING = sa.text("kind = 'engine' AND outcome = ''")
_NAMED = sa.text("SELECT id, name FROM players WHERE name IS NOT NULL ORDER BY created_at, id")
_KEY = sa.text("UPDATE players SET name_key = :key WHERE id = :id")
_DEAL = sa.text("UPDATE players SET name = :name, dealt = :name, name_key = :key WHERE id = :id")


def upgrade() -> None:
    """Drop the journal, quizzes to answer at home and versions of the wall; add the rest."""
    op.drop_table("journal")
    op.execute(
        f"DELETE FROM answers WHERE poll IN (SELECT id FROM polls WHERE round IN ({_HOME}))"  # noqa: S608
    )
    op.execute(f"DELETE FROM polls WHERE round IN ({_HOME})")  # noqa: S608
    op.execute("DELETE FROM rounds WHERE form = 'home'")
    op.drop_column("rounds", "form")
    op.drop_column("games", "joined")
    op.drop_column("lesson", "wall_version")
    op.add_column("lesson", sa.Column("asked_at", sa.BigInteger))
    op.add_column("polls", sa.Column("counts_until", sa.BigInteger))
    op.add_column("menace", sa.Column("life", sa.Text))
    where = {"sqlite_where": _GOING, "postgresql_where": _GOING}
    op.create_index("ix_games_computer", "games", ["updated_at"], **where)  # type: ignore[arg-type]
    _compute_keys()


def _compute_keys() -> None:
    """Compute the keys of names; of two that are now alike, the later player gets another."""
    connection, rng = op.get_bind(), SystemRandom()
    names, alike = dict[str, str](), list[str]()
    for id_, name in connection.execute(_NAMED).all():
        if names.setdefault(key(name), id_) != id_:
            alike.append(id_)
    op.execute("UPDATE players SET name_key = NULL")  # so that no two are alike on the way
    for name_key, id_ in names.items():
        connection.execute(_KEY, {"id": id_, "key": name_key})
    for id_ in alike:
        dealt = generated(rng)
        while key(dealt) in names:
            dealt = f"{generated(rng)} {rng.randrange(2, 1_000)}"
        names[key(dealt)] = id_
        connection.execute(_DEAL, {"id": id_, "key": key(dealt), "name": dealt})
