"""How much a directory of runs may take on its disk, and what is refused once it does."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, StorageError

QUOTA_VARIABLE: Final = "DIORAMA_RUNS_QUOTA_BYTES"
_BLOCK_BYTES: Final = 512  # what st_blocks counts, whatever the disk


class QuotaReached(StorageError):
    """The directory of runs has taken what it may; nothing new is begun, and what is being written goes on."""


def check_quota(runs_root: Path, environment: Mapping[str, str] = os.environ) -> None:
    """Refuse to begin a run or a recording where there is a quota, and it is used.

    Raises:
        QuotaReached: It is.
        ConfigError: The quota is no number of bytes.
    """
    given = environment.get(QUOTA_VARIABLE)
    if not given:
        return
    if not given.isdecimal() or int(given) == 0:
        raise ConfigError(
            f"{QUOTA_VARIABLE}: {given!r} is no number of bytes; use one like 50000000000",
            code="quota_invalid",
            value=given,
        )
    quota, used = int(given), bytes_below(runs_root)
    if used >= quota:
        raise QuotaReached(
            f"{runs_root} takes {used} bytes, and may take {quota} ({QUOTA_VARIABLE}): nothing new is begun; "
            f"diorama prune {runs_root} --dry-run shows what could go",
            code="quota_reached",
            used_bytes=used,
            quota_bytes=quota,
        )


def bytes_below(folder: Path) -> int:
    """Return what the files below a folder take on the disk; links are not followed."""
    total = 0
    for place, _, names in os.walk(folder, followlinks=False):
        for name in names:
            try:
                total += Path(place, name).lstat().st_blocks * _BLOCK_BYTES
            except FileNotFoundError:
                continue  # removed meanwhile
    return total
