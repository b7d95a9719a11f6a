"""What the system knows about a running process."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFacts:
    """One look at a process."""

    resident_mib: float
    descriptors: int
    threads: int


def look_at(pid: int) -> ProcessFacts:
    """Look at a process.

    Raises:
        FileNotFoundError: It has ended.
    """
    home = Path(f"/proc/{pid}")
    resident = int((home / "statm").read_text().split()[1]) * _PAGE_BYTES
    return ProcessFacts(
        resident_mib=resident / _MIB,
        descriptors=sum(1 for _ in (home / "fd").iterdir()),
        threads=sum(1 for _ in (home / "task").iterdir()),
    )
