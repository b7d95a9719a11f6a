"""Who fights battles: the native arena where it is built, else the readable one, which gives the same result."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from diorama.contracts.errors import TierUnavailable
from diorama.worlds.tidebreak import fast
from diorama.worlds.tidebreak.packages import BattlePackage, BattleResult
from diorama.worlds.tidebreak.reference import arena
from diorama.worlds.tidebreak.resolve import resolve

Fight: TypeAlias = Callable[[BattlePackage, Mapping[str, str]], BattleResult]
"""Fights a package with controllers by ship id; ships that are not named follow `script:auto`."""


def fight(package: BattlePackage, controllers: Mapping[str, str]) -> BattleResult:
    """Fight a battle to its end."""
    resolved = resolve(package)
    try:
        return fast.simulate(resolved, controllers)
    except TierUnavailable:
        return arena.simulate(resolved, controllers)
