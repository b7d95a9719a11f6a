"""A disk that is full from a certain file size on."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_file_longer_than(limit_bytes: int) -> Iterator[None]:
    """Let the system refuse to write beyond this size, as a full disk does; Python ignores the signal of it."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
