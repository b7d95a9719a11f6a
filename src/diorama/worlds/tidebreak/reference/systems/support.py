"""Support orders: decoys, scuttling, boarding."""

from typing import Final

from diorama.worlds.tidebreak.codes import ConnectionState, MunitionKind, UnitStatus
from diorama.worlds.tidebreak.limits import MUNITIONS_MAX
from diorama.worlds.tidebreak.reference.components import STEADY, Munition
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Board, LaunchDecoy, Outputs, Scuttle
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.fuel import resolve_stores

NO_WEAPON: Final = -1
DECOY_LIFE_S: Final = 60.0
DECOY_PAUSE_TICKS: Final = 20
SCUTTLE_BELOW: Final = 0.3  # of hp_max
SCUTTLE_TICKS: Final = 20


def can_launch_decoy(battle: Battle, unit: Unit) -> bool:
    """Whether a decoy could leave now."""
    stores = unit.stores
    is_ready = stores.decoys > 0 and battle.tick >= stores.decoy_ready_at
    return is_ready and unit.is_effective and unit.layer.mode == STEADY


def can_scuttle(battle: Battle, unit: Unit) -> bool:
    """Whether the unit has reason to sink itself."""
    if not unit.is_effective:
        return False
    if unit.hull.hp < SCUTTLE_BELOW * unit.spec.hull.hp_max:
        return True
    return any(
        other.boarding.state >= ConnectionState.DOCKED and other.boarding.target_id == unit.id
        for other in battle.present_units()
    )


def resolve_support(battle: Battle, outputs: Outputs) -> None:
    """Carry out support orders, and take the fuel that layer orders cost."""
    resolve_stores(battle, outputs)
    for decoy in outputs.of(LaunchDecoy):
        _launch_decoy(battle, battle.unit(decoy.source))
    for board in outputs.of(Board):
        _order_boarding(battle, battle.unit(board.source), board.target)
    for scuttle in outputs.of(Scuttle):
        battle.unit(scuttle.source).scratch.is_scuttling = True
    for unit in battle.present_units():
        _scuttle(battle, unit)


def _launch_decoy(battle: Battle, unit: Unit) -> None:
    if not can_launch_decoy(battle, unit):
        unit.note_invalid()
        return
    if len(battle.munitions) >= MUNITIONS_MAX:
        battle.record(EventKind.MUNITION_CAP, unit.id)
        unit.note_invalid()
        return
    unit.stores.decoys -= 1
    unit.stores.decoy_ready_at = battle.tick + DECOY_PAUSE_TICKS
    decoy_id = battle.take_entity_id()
    event = battle.record(EventKind.DECOY, unit.id, decoy_id)
    battle.munitions.append(
        Munition(
            id=decoy_id,
            kind=MunitionKind.DECOY,
            weapon_code=NO_WEAPON,
            owner_id=unit.id,
            team=unit.team,
            x=unit.x,
            y=unit.y,
            heading=unit.heading,
            speed=0.0,
            launch_layer=unit.layer.layer,
            target_layers=0,
            aim_x=unit.x,
            aim_y=unit.y,
            lock_id=0,
            remaining=DECOY_LIFE_S,
            run=0.0,
            rounds=1,
            spread=0.0,
            damage=0.0,
            armed_at=battle.tick,
            search=False,
            fired_event=event,
        )
    )


def _order_boarding(battle: Battle, unit: Unit, target_id: int) -> None:
    target = battle.find_unit(target_id)
    is_sound = target is not None and battle.are_enemies(unit.team, target.team) and target.is_present
    if not (battle.rules.boarding and is_sound and unit.crew.marines > 0.0):
        unit.note_invalid()
        return
    unit.scratch.board_target = target_id


def _scuttle(battle: Battle, unit: Unit) -> None:
    if not unit.scratch.is_scuttling:
        unit.memory.scuttle_ticks = 0
    elif not can_scuttle(battle, unit):
        unit.memory.scuttle_ticks = 0
        unit.note_invalid()
    else:
        unit.memory.scuttle_ticks += 1
        if unit.memory.scuttle_ticks >= SCUTTLE_TICKS:
            unit.mark(UnitStatus.SCUTTLED)
            battle.record(EventKind.SCUTTLED, unit.id)
