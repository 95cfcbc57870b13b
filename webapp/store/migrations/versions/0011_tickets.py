"""A placeholder."""

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    pass
