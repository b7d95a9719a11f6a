"""Small battles on calm, deep, closed water for tests of single rules."""

from collections.abc import Mapping
from typing import Any, Final

from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.reference.orders import Order
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve import ResolvedPackage, read_package, resolve

Document = dict[str, Any]

SIDE_M: Final = 8_000.0
STILL: Final = Order(throttle=0.0, rudder=0.0)


def ship(
    ship_id: str, team: str = "red", class_id: str = "corvette", x: float = 0.0, y: float = 0.0, **more: Any
) -> Document:
    """A ship for `package`; `heading`, `speed`, `layer` and `hp` go into its first state."""
    state = {"x": x, "y": y, "heading": 0.0, "layer": "SURFACE"}
    state |= {key: more.pop(key) for key in ("heading", "speed", "layer", "hp") if key in more}
    return {"ship_id": ship_id, "team_id": team, "class_id": class_id, "initial_state": state, "crew": {}} | more


def package(
    *ships: Document, area: Document | None = None, rules: Document | None = None, **more: Any
) -> ResolvedPackage:
    """Resolve a battle of these ships; without an enemy a station far away is added."""
    crew = [*ships]
    if len({entry["team_id"] for entry in ships}) < 2:
        crew.append(ship("zz-far-station", "blue", "station", x=SIDE_M - 100.0, y=SIDE_M - 100.0))
        crew.append(ship("zz-far-rig", "blue", "rig", x=SIDE_M - 600.0, y=SIDE_M - 100.0))
    document: Document = {
        "schema_version": "arena.v3",
        "battle_id": "test",
        "seed": 7,
        "time_step_s": 0.1,
        "time_limit_s": 1_800,
        "rules": {"fields": False} | (rules or {}),
        "teams": [{"team_id": "red", "name": "Red"}, {"team_id": "blue", "name": "Blue"}],
        "map": {
            "bounds": {"min_x": -SIDE_M, "min_y": -SIDE_M, "max_x": SIDE_M, "max_y": SIDE_M},
            "bathymetry": {"kind": "uniform", "depth_m": 1_500},
            "weather": {"sea_state": 0, "visibility_km": 20},
        }
        | (area or {}),
        "ships": crew,
    }
    return resolve(read_package(document | more).package)


def arena(
    *ships: Document,
    area: Document | None = None,
    rules: Document | None = None,
    controllers: Mapping[str, str] | None = None,
    **more: Any,
) -> Arena:
    """A battle whose ships all wait for orders, except those given a script."""
    resolved = package(*ships, area=area, rules=rules, **more)
    names = {spec.ship_id: "agent" for spec in resolved.battle.units} | dict(controllers or {})
    return Arena(resolved, names, is_collecting=True)


def unit_of(battle: Battle, ship_id: str) -> Unit:
    """The unit of a ship."""
    return next(unit for unit in battle.units if unit.spec.ship_id == ship_id)


def run(battle_arena: Arena, ticks: int, **orders: Order) -> None:
    """Step with the same orders, by ship id with `_` for `-`."""
    actions = {name.replace("_", "-"): order for name, order in orders.items()}
    for _ in range(ticks):
        battle_arena.step(actions)


def events_named(battle: Battle, name: str) -> list[Any]:
    """Events of one kind so far."""
    return [event for event in battle.log if event.kind.name == name]
