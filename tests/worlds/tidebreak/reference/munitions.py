"""Torpedoes under way and decoys afloat."""

from typing import Any

from diorama.worlds.tidebreak.codes import Layer, MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def torpedo(battle: Battle, x: float, y: float, heading: float, **changes: Any) -> Munition:
    """A torpedo of the second team's that has run for a while, changed as told."""
    values: dict[str, Any] = {
        "kind": MunitionKind.TORPEDO,
        "weapon_code": 6,
        "owner_id": 3,
        "team": 1,
        "speed": 24.0,
        "launch_layer": 1,
        "target_layers": 0b011,
        "aim_x": 0.0,
        "aim_y": 0.0,
        "lock_id": 0,
        "remaining": 100.0,
        "run": 500.0,
        "rounds": 1,
        "spread": 0.0,
        "damage": 240.0,
        "armed_at": 0,
        "search": False,
        **changes,
    }
    return Munition(id=battle.take_entity_id(), x=x, y=y, heading=heading, **values)


def decoy_at(battle: Battle, owner: Unit, x: float, y: float) -> Munition:
    """Put a decoy of the owner's afloat."""
    decoy = torpedo(
        battle,
        x,
        y,
        0.0,
        kind=MunitionKind.DECOY,
        weapon_code=-1,
        owner_id=owner.id,
        team=owner.team,
        speed=0.0,
        launch_layer=Layer.SURFACE,
        target_layers=0,
        aim_x=x,
        aim_y=y,
        remaining=60.0,
        run=0.0,
        damage=0.0,
        armed_at=battle.tick,
    )
    battle.munitions.append(decoy)
    return decoy
