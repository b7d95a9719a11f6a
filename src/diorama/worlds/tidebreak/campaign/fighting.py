"""Who fights battles: the native arena where it is built, else the readable one, which gives the same result."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from diorama.contracts.errors import TierUnavailable
from diorama.native import load_native
from diorama.worlds.tidebreak.packages import BattlePackage, BattleResult, read_result
from diorama.worlds.tidebreak.reference.arena import simulate
from diorama.worlds.tidebreak.resolve import resolve

Fight: TypeAlias = Callable[[BattlePackage, Mapping[str, str]], BattleResult]
"""Fights a package with controllers by ship id; ships that are not named follow `script:auto`."""

_NATIVE_CALL = "tidebreak_simulate"


def has_native_arena() -> bool:
    """Whether battles take well under a second here."""
    try:
        return hasattr(load_native(), _NATIVE_CALL)
    except TierUnavailable:
        return False


def fight(package: BattlePackage, controllers: Mapping[str, str]) -> BattleResult:
    """Fight a battle to its end."""
    resolved = resolve(package)
    if not has_native_arena():
        return simulate(resolved, controllers)
    return read_result(load_native().tidebreak_simulate(resolved.document, dict(controllers)))
