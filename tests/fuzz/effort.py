"""How hard the fuzz tests try, and what they accept."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings

from diorama.contracts.errors import DioramaError

LONG_FORM = int(os.environ.get("DIORAMA_FUZZ", "0"))
LONGEST_MESSAGE = 10_000
_Test = TypeVar("_Test", bound=Callable[..., None])


def examples(few: int, *, share: float = 1.0) -> Callable[[_Test], _Test]:
    """Take a few examples, the same every time, or in the long form new ones by the thousand.

    Args:
        few: In the ordinary suite.
        share: Of the long form's number; less for what is slow.
    """
    return settings(
        max_examples=max(few, int(LONG_FORM * share)),
        derandomize=not LONG_FORM,
        # A parser that takes longer hangs, whatever it makes of its input in the end.
        deadline=timedelta(seconds=30),
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def read_or_refused(*more: type[Exception]) -> Iterator[None]:
    """Accept a value or an error of our own that says something and not too much; any other exception fails the test.

    Args:
        more: Errors that are part of a parser's own contract beside ours.
    """
    expected: tuple[type[Exception], ...] = (DioramaError, *more)
    try:
        yield
    except expected as error:
        message = str(error)
        assert message.strip(), "an error that says nothing"
        assert len(message) <= LONGEST_MESSAGE, f"{len(message)} characters"


@contextmanager
def put_back(path: Path) -> Iterator[bytes]:
    """Hand out what a file holds, and write it again once it has been overwritten enough."""
    whole = path.read_bytes()
    try:
        yield whole
    finally:
        path.write_bytes(whole)
