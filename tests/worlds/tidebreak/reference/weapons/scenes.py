"""Small battles in which one rule can be watched: still ships, flat water, no weather."""

from typing import Any

from diorama.worlds.tidebreak.codes import Iff, MunitionKind, UnitKind
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.reference.components import Munition, Track
from diorama.worlds.tidebreak.reference.events import Event, EventKind
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.currents import sample_currents
from diorama.worlds.tidebreak.reference.systems.damage import resolve_damage
from diorama.worlds.tidebreak.reference.systems.launches import launch
from diorama.worlds.tidebreak.reference.systems.munitions import guide, move_and_impact
from diorama.worlds.tidebreak.resolve import resolve

Document = dict[str, Any]


def ship(class_id: str, team: int, x: float = 0.0, y: float = 0.0, **fields: Any) -> Document:
    """A ship of a package, heading east and at rest; `state` adds to its initial state."""
    state = {"x": x, "y": y, "heading": 0.0, **fields.pop("state", {})}
    return {"team_id": f"t{team}", "class_id": class_id, "initial_state": state, **fields}


def battle_of(*ships: Document, seed: int = 7, rules: Document | None = None, area: Document | None = None) -> Battle:
    """A battle with these ships, whose ids count from 1 in the order given."""
    teams = sorted({entry["team_id"] for entry in ships})
    document = {
        "schema_version": "arena.v3",
        "battle_id": "scene",
        "seed": seed,
        "time_limit_s": 3600,
        "rules": {"fields": False, **(rules or {})},
        "teams": [{"team_id": team, "name": team} for team in teams],
        "map": {
            "bounds": {"min_x": -16000, "min_y": -16000, "max_x": 16000, "max_y": 16000},
            "bathymetry": {"kind": "uniform", "depth_m": 1500},
            "weather": {"sea_state": 0, "visibility_km": 20},
            **(area or {}),
        },
        "ships": [{"ship_id": f"s{index:03d}", **entry} for index, entry in enumerate(ships)],
    }
    return open_battle(resolve(BattlePackage.model_validate(document)), is_collecting=True)


def hold(observer: Unit, target: Unit, **fields: Any) -> Track:
    """Give a unit an exact track of another, fit for fire control."""
    values: dict[str, Any] = {
        "track_id": observer.tracks.next_track_id,
        "target_id": target.id,
        "x": target.x,
        "y": target.y,
        "vx": target.motion.vx,
        "vy": target.motion.vy,
        "P": 25.0,
        "quality": 2,
        "age": 0,
        "hits": 10,
        "bearing_only": False,
        "layer_est": target.layer.layer,
        "class_level": 3,
        "id_conf": 1.0,
        "iff": Iff.HOSTILE_DECLARED,
        "is_munition": False,
        "modalities": 1,
        "shared": False,
        **fields,
    }
    track = Track(**values)
    observer.tracks.next_track_id += 1
    observer.tracks.tracks.append(track)
    return track


def place_of(battle: Battle, unit: Unit, weapon_id: str) -> int:
    """Place of the first mount that carries the weapon."""
    weapons = [battle.spec.weapons[mount.weapon].weapon_id for mount in unit.spec.mounts]
    return weapons.index(weapon_id)


def shoot(battle: Battle, unit: Unit, weapon_id: str, aim: tuple[float, float]) -> Munition:
    """Launch a weapon at a point, whoever carries it."""
    weapon = next(weapon for weapon in battle.spec.weapons if weapon.weapon_id == weapon_id)
    launch(battle, unit, weapon, aim, fired_event=0)
    return battle.munitions[-1]


def fly(battle: Battle, substeps: int) -> Outputs:
    """Let munitions run and their damage arrive, while ships stay where they are; return all outputs."""
    sample_currents(battle)
    outputs = Outputs()
    for _ in range(substeps):
        outputs = Outputs()
        for munition in battle.munitions:
            if munition.kind in (MunitionKind.TORPEDO, MunitionKind.MISSILE):
                guide(battle, munition, outputs.emitter(Plugin.GUIDANCE))
        move_and_impact(battle, outputs)
        resolve_damage(battle, outputs)
    return outputs


def hurt(battle: Battle, unit: Unit, amount: float, **fields: Any) -> Outputs:
    """Let one damage arrive; it comes from ahead, through armor, from the unit itself unless told otherwise."""
    outputs = Outputs()
    values: dict[str, Any] = {"source": unit.id, "target": unit.id, "type": 0, "direction": unit.heading, **fields}
    outputs.emit(Plugin.GUIDANCE, Damage(amount=amount, **values))
    resolve_damage(battle, outputs)
    return outputs


def events(battle: Battle, kind: EventKind) -> list[Event]:
    """Events of one kind so far."""
    return [event for event in battle.log if event.kind is kind]


def squadrons(battle: Battle) -> list[Unit]:
    """Squadrons aloft."""
    return [unit for unit in battle.present_units() if unit.identity.kind == UnitKind.SQUADRON]
