"""Why a snapshot of a live world cannot be loaded.

SnapshotError
├── SnapshotCorrupt       it cannot be read, or is not what it says it is
├── SnapshotIncompatible  it is whole and belongs to another world, policy or schema
└── ConfigMismatch        it is whole and of another configuration; no registered migration leads here
"""

from diorama.contracts.errors import SnapshotError


class SnapshotCorrupt(SnapshotError):
    """The file is broken: not what was written."""


class SnapshotIncompatible(SnapshotError):
    """The snapshot is whole and cannot be loaded here."""


class ConfigMismatch(SnapshotError):
    """The snapshot is of another configuration."""

    def __init__(self, found: str, wanted: str, advice: str) -> None:
        """Name both ids and say what would help."""
        super().__init__(f"config_mismatch: the snapshot is of {found!r}, this world is {wanted!r}; {advice}")
        self.found = found
        self.wanted = wanted
