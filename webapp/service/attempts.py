"""What a worker does again and again, whatever fails in it: the next attempt comes."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

OUTAGE = 30.0
"""How many seconds a database may be out of reach before that is logged: a restart is no fault."""

_LOG = logging.getLogger(__name__)


class Attempts:
    """Keeps a loop going: what fails is logged with its traceback, once until it works again.

    :param what: what is attempted, for the log
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._failing_since: float | None = None
        self._logged = False

    @contextmanager
    def another(self) -> Iterator[None]:
        """Attempt what the block does; where it raises, go on after it."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, the loop must go on
            now = time.monotonic()
            since = self._failing_since = self._failing_since or now
            passing = isinstance(error, sa.exc.SQLAlchemyError) and now - since < OUTAGE
            if not passing and not self._logged:
                self._logged = True
                _LOG.exception("%s failed, and is attempted again.", self._what)
        else:
            self._failing_since, self._logged = None, False
