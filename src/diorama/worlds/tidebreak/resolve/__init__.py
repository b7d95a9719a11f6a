"""From a battle package to everything a battle starts from, as records and as canonical JSON."""

from diorama.worlds.tidebreak.resolve.encoding import ResolvedPackage, read_resolved
from diorama.worlds.tidebreak.resolve.resolution import resolve
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedBattle, ResolvedUnit
from diorama.worlds.tidebreak.resolve.validation import SoundPackage, read_package, validate_package

__all__ = [
    "ResolvedBattle",
    "ResolvedPackage",
    "ResolvedUnit",
    "SoundPackage",
    "read_package",
    "read_resolved",
    "resolve",
    "validate_package",
]
