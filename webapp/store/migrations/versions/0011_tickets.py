"""A place that is kept for what players' tickets need."""

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    pass
