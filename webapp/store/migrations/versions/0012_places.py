"""A place that is kept for what lasting places need."""

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    pass
