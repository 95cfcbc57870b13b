"""Called when a wheel is built: ``templates`` and ``static`` are within ``webapp`` there."""

from pathlib import Path
from typing import Protocol


class Context(Protocol):
    """What the build backend tells of a build."""

    root: Path
    target: str


def pdm_build_update_files(context: Context, files: dict[str, Path]) -> None:
    """Add what an editable install reads from the checkout."""
    if context.target != "wheel":
        return
    for folder in ("templates", "static"):
        for path in (context.root / folder).rglob("*"):
            if path.is_file():
                files[f"webapp/{path.relative_to(context.root).as_posix()}"] = path
