"""Fuel: burnt by the second, more than proportionally to speed."""

from typing import Final

from diorama.numerics import clamp, fmax, powi
from diorama.worlds.tidebreak.reference.outputs import Component, Emit, Modify, Outputs, StoresField
from diorama.worlds.tidebreak.reference.state import Battle, Unit

IDLE_S: Final = 0.1
FLANK_S: Final = 0.9


def burn_fuel(_battle: Battle, unit: Unit, emit: Emit) -> None:
    """Ask for what one second at this speed takes."""
    if unit.stores.fuel > 0.0:
        full = unit.class_speed()
        g = clamp(unit.speed / full, 0.0, 1.0) if full > 0.0 else 0.0
        emit(Modify(unit.id, unit.id, Component.STORES, StoresField.FUEL, -(IDLE_S + FLANK_S * powi(g, 3))))


def resolve_stores(battle: Battle, outputs: Outputs) -> None:
    """Change fuel, never below empty; a tank without end stays so."""
    for change in outputs.of(Modify):
        if change.component is Component.STORES:
            stores = battle.unit(change.target).stores
            if stores.fuel > 0.0:
                stores.fuel = fmax(stores.fuel + change.delta, 0.0)
