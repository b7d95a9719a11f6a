"""Reading and validating packages: everything wrong is collected and raised at once."""

from typing import NamedTuple

from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.blocks import drop_newer_blocks, without_newer_blocks
from diorama.worlds.tidebreak.packages.documents import Source, parse
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import PackageError, Problem
from diorama.worlds.tidebreak.packages.versions import CURRENT
from diorama.worlds.tidebreak.resolve.checks import CHECKS


class SoundPackage(NamedTuple):
    """A package in which everything holds, and a warning for each block that its version does not have."""

    package: BattlePackage
    warnings: tuple[Problem, ...]


def read_package(source: Source, content: Content | None = None, *, reader_version: int = CURRENT) -> SoundPackage:
    """Read a package from JSON or from a mapping.

    Args:
        source: JSON text as UTF-8 bytes or a string, or the mapping it stands for.
        content: Tables to check against; those that ship with the world unless given.
        reader_version: Highest `arena.vN` to understand; blocks of later versions are dropped.

    Raises:
        PackageError: With everything that is wrong.
    """
    document = parse(source)
    if isinstance(document, Problem):
        raise PackageError([document])
    document, warnings = without_newer_blocks(document, reader_version=reader_version)
    return SoundPackage(_sound(Draft.read(document), content or shipped_content()), warnings)


def validate_package(package: BattlePackage, content: Content | None = None) -> SoundPackage:
    """Check a package that is already a model; the rest is as with `read_package`."""
    supported, warnings = drop_newer_blocks(package)
    return SoundPackage(_sound(Draft.of(supported), content or shipped_content()), warnings)


def _sound(draft: Draft, content: Content) -> BattlePackage:
    problems = list(draft.problems)
    for check in CHECKS:
        problems += check(draft, content)
    if draft.package is None or problems:
        raise PackageError(problems)
    return draft.package
