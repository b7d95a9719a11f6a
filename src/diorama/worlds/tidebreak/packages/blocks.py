"""Blocks of ships that are newer than the document's version, or than its reader."""

from collections.abc import Mapping
from typing import NamedTuple

from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.structure import dotted
from diorama.worlds.tidebreak.packages.versions import BLOCK_VERSIONS, CURRENT, version_number


class _Dropped(NamedTuple):
    names: frozenset[str]
    warnings: tuple[Problem, ...]


def without_newer_blocks(
    document: Mapping[str, object], *, reader_version: int = CURRENT
) -> tuple[Mapping[str, object], tuple[Problem, ...]]:
    """Leave out blocks the document's version does not have (with a warning each) or its reader does not know."""
    schema_version = document.get("schema_version")
    written = version_number(schema_version) if isinstance(schema_version, str) else None
    ships = document.get("ships")
    if written is None or not isinstance(ships, list | tuple):
        return document, ()
    warnings: list[Problem] = []
    kept: list[object] = []
    for index, ship in enumerate(ships):
        if not isinstance(ship, Mapping):
            kept.append(ship)
            continue
        dropped = _dropped(ship, index, written, reader_version)
        warnings += dropped.warnings
        kept.append({key: value for key, value in ship.items() if key not in dropped.names})
    return {**document, "ships": kept}, tuple(warnings)


def drop_newer_blocks(package: BattlePackage) -> tuple[BattlePackage, tuple[Problem, ...]]:
    """Do the same to a package that is already read."""
    written = version_number(package.schema_version) or CURRENT
    warnings: list[Problem] = []
    ships = []
    for index, ship in enumerate(package.ships):
        blocks = {name: getattr(ship, name) for name in BLOCK_VERSIONS}
        dropped = _dropped(blocks, index, written, CURRENT)
        warnings += dropped.warnings
        ships.append(ship.model_copy(update=dict.fromkeys(dropped.names)) if dropped.names else ship)
    return (package.model_copy(update={"ships": tuple(ships)}) if warnings else package), tuple(warnings)


def _dropped(ship: Mapping[str, object], index: int, written: int, reader_version: int) -> _Dropped:
    too_new = [name for name, since in BLOCK_VERSIONS.items() if since > written and ship.get(name) is not None]
    unread = [name for name, since in BLOCK_VERSIONS.items() if since > reader_version]
    warnings = tuple(
        Problem("P061", dotted("ships", index, name), f"came with arena.v{BLOCK_VERSIONS[name]}; it is ignored")
        for name in too_new
    )
    return _Dropped(frozenset((*too_new, *unread)), warnings)
