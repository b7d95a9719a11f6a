"""Bounds for whatever a parser asks the system for."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOM_BYTES = 6 << 30


@pytest.fixture(autouse=True)
def bounded_memory() -> Iterator[None]:
    """Let nobody take more than some room beyond what the process has: a length that is believed fails the test."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    if pages:
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
