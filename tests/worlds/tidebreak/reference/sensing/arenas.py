"""Small battles on calm, deep, open water, and the looks that are taken at them."""

import json
from typing import Any

from diorama.worlds.tidebreak.codes import Emissions, Modality
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.opening import open_battle
from diorama.worlds.tidebreak.reference.outputs import Emit, Measure, Output
from diorama.worlds.tidebreak.reference.sensing import sense
from diorama.worlds.tidebreak.reference.sensing.pairs import Observer, Pair
from diorama.worlds.tidebreak.reference.sensing.targets import unit_target
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.tick import SENSE, run_phase
from diorama.worlds.tidebreak.resolve import read_package, resolve

Document = dict[str, Any]


def ship(team: str, class_id: str, x: float, y: float = 0.0, **changes: Any) -> Document:
    """A ship that lies still; the name sorts as it was given."""
    state = {key: changes.pop(key) for key in ("heading", "speed", "layer") if key in changes}
    ship_id = changes.pop("ship_id", f"{team}-{class_id}-{x:+09.1f}-{y:+09.1f}")
    return {
        "ship_id": ship_id,
        "team_id": team,
        "class_id": class_id,
        "initial_state": {"x": x, "y": y, "heading": 0.0, **state},
        **changes,
    }


def open_water(*ships: Document, rules: Document | None = None, seed: int = 7, **area: Any) -> Battle:
    """A battle of teams `a` and `b` (and `c`) on a sea of 32 km, without weather and without fields unless given."""
    teams = sorted({entry["team_id"] for entry in ships})
    weather = {"sea_state": 0, "visibility_km": 20, **area.pop("weather", {})}
    side = 16_000
    package = {
        "schema_version": "arena.v1",
        "battle_id": "look",
        "seed": seed,
        "time_limit_s": 600,
        "rules": {"fields": False, **(rules or {})},
        "teams": [{"team_id": team, "name": team} for team in teams],
        "map": {
            "bounds": {"min_x": -side, "min_y": -side, "max_x": side, "max_y": side},
            "bathymetry": {"kind": "uniform", "depth_m": 1500},
            "weather": weather,
            **area,
        },
        "ships": list(ships),
    }
    return open_battle(resolve(read_package(json.dumps(package).encode()).package), is_collecting=True)


def pair(battle: Battle, observer: Unit, target: Unit) -> Pair:
    """One unit's look at another."""
    return Pair(battle, Observer.of(battle, observer), unit_target(target))


def excess(battle: Battle, modality: Modality, observer: int = 1, target: int = 2) -> float | None:
    """Decibels above the threshold, without luck."""
    return pair(battle, battle.unit(observer), battle.unit(target)).excess(modality)


def excess_at(battle: Battle, modality: Modality, range_m: float) -> float:
    """The excess of unit 1 on unit 2 if that lay due east at a range."""
    first, second = battle.unit(1), battle.unit(2)
    second.transform.x, second.transform.y = first.x + range_m, first.y
    value = excess(battle, modality)
    assert value is not None
    return value


def detection_range(battle: Battle, modality: Modality, far: float = 60_000.0) -> float:
    """The range at which the excess of unit 1 on unit 2 crosses zero."""
    near = 1.0
    for _ in range(60):
        middle = (near + far) / 2.0
        near, far = (middle, far) if excess_at(battle, modality, middle) > 0.0 else (near, middle)
    return near


def activate(battle: Battle) -> None:
    """Switch on everything that radiates."""
    for unit in battle.units:
        unit.posture.emissions = Emissions.ACTIVE


def measures_of(battle: Battle, unit: Unit) -> list[Measure]:
    """What the sensor plugin of a unit emits."""
    found: list[Output] = []
    emit: Emit = found.append
    sense(battle, unit, emit)
    return [output for output in found if isinstance(output, Measure)]


def look(battle: Battle, ticks: int = 1) -> None:
    """Let everybody sense, once per tick, while nothing else happens."""
    for _ in range(ticks):
        run_phase(battle, SENSE)
        battle.tick += 1


def track_of(battle: Battle, observer: int, target: int) -> Track:
    """The track that a unit holds of another."""
    track = battle.unit(observer).tracks.of_target(target)
    assert track is not None
    return track
