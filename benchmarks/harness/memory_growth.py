"""Memory soak: the same questions over and over, and what the server keeps of them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.values import JsonObject
from harness.servers import RunningServer, serving, serving_traced
from harness.subject import Subject
from harness.transport import PageReader

_MIB: Final = 1 << 20
_MARKS: Final = 8  # moments at which memory is looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Memory before and during a soak.

    Attributes:
        before_bytes: After warming up.
        during_bytes: At moments spread over the soak, the last at its end.
    """

    before_bytes: int
    during_bytes: tuple[int, ...]

    @property
    def final_mib(self) -> float:
        """Growth from before to the end."""
        return (self.during_bytes[-1] - self.before_bytes) / _MIB

    @property
    def peak_mib(self) -> float:
        """Growth from before to the largest that was seen."""
        return (max(self.during_bytes) - self.before_bytes) / _MIB

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return {
            "before_mib": self.before_bytes / _MIB,
            "during_mib": [value / _MIB for value in self.during_bytes],
            "final_growth_mib": self.final_mib,
            "peak_growth_mib": self.peak_mib,
        }


def page_offsets(subject: Subject, *, requests: int, limit: int, seed: int) -> list[int]:
    """Return where the pages of a soak begin."""
    draws = random.Random(seed)
    return [draws.randint(0, max(0, subject.frames - limit)) for _ in range(requests)]


def read_pages(server: RunningServer, subject: Subject, offsets: Sequence[int], limit: int) -> None:
    """Read pages one after another, plain and packed in turn."""
    readers = [PageReader(server, subject.frames_path, packed=packed) for packed in (False, True)]
    for place, offset in enumerate(offsets):
        readers[place % 2].read(offset, limit)
    for reader in readers:
        reader.close()


def heap_growth(subject: Subject, offsets: Sequence[int], *, limit: int, log: Path) -> Growth:
    """Soak a server that traces its heap; caches are filled by asking everything once before."""
    with serving_traced(subject.run_root, log=log) as traced:
        return _soaked(traced.running, subject, offsets, limit, traced.heap_bytes)


def resident_growth(subject: Subject, offsets: Sequence[int], *, limit: int, log: Path) -> Growth:
    """Soak a server as users run it and look at its memory in RAM."""
    with serving(subject.run_root, log=log) as server:
        return _soaked(server, subject, offsets, limit, server.resident_bytes)


def _soaked(
    server: RunningServer, subject: Subject, offsets: Sequence[int], limit: int, look: Callable[[], int]
) -> Growth:
    read_pages(server, subject, offsets, limit)
    before = look()
    during = []
    size = -(-len(offsets) // _MARKS)
    for first in range(0, len(offsets), size):
        read_pages(server, subject, offsets[first : first + size], limit)
        during.append(look())
    return Growth(before_bytes=before, during_bytes=tuple(during))
