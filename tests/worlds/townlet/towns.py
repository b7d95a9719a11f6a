"""Towns for tests: small configurations, and citizens put where a test wants them."""

import random
from collections.abc import Mapping
from typing import Any

from diorama.contracts.values import canonical_json
from diorama.worlds.townlet.codes import NEED_NAMES
from diorama.worlds.townlet.config import TownletConfig, overlaid
from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.reference.names import payload
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.state import Citizen, Town
from diorama.worlds.townlet.reference.systems.movement import place
from diorama.worlds.townlet.reference.systems.spawning import Arrival
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.tables.compiling import load_tables
from diorama.worlds.townlet.tables.town_tables import TownTables

QUIET: Mapping[str, Any] = {
    "perturbations": {"enabled": False},
    "personalities": {"distribution": {"balanced": 1}, "trait_jitter": 0},
}
SOCIAL: Mapping[str, Any] = {"features": {"stages": {"relationships": "C3", "social_rewards": "C3"}}}
PRIMITIVE: Mapping[str, Any] = {"policy_runtime": {"action_level": "primitive"}}


def config_of(*overrides: Mapping[str, Any]) -> TownletConfig:
    merged: dict[str, Any] = {}
    for override in overrides:
        merged = overlaid(merged, override)
    return TownletConfig.model_validate(merged)


def tables_of(config: TownletConfig) -> TownTables:
    key = canonical_json(config.model_dump(mode="json"))
    known = _KNOWN.get(key)
    if known is None:
        known = _KNOWN[key] = load_tables(config)
    return known


_KNOWN: dict[str, TownTables] = {}


def town_of(*overrides: Mapping[str, Any], population: int = 1, seed: int = 7) -> Town:
    """A quiet town with some balanced citizens, its first tick not yet begun."""
    config = config_of(QUIET, {"world": {"population": population}}, *overrides)
    return open_town(tables_of(config), config, seed)


def random_arrivals(seed: int, *, population: int, jobs: int) -> list[Arrival]:
    """Citizens with needs, money and bread drawn at random, and jobs dealt out evenly."""
    chance = random.Random(seed)
    dealt = [seat % jobs for seat in range(population)]
    chance.shuffle(dealt)
    return [
        Arrival(
            needs=(chance.uniform(0.3, 0.95), chance.uniform(0.3, 0.95), chance.uniform(0.3, 0.95)),
            wallet=chance.uniform(0.5, 3.0),
            food_raw=chance.randint(0, 2),
            job=job,
        )
        for job in dealt
    ]


def at(town: Town, x: int, y: int) -> int:
    return town.tables.map.tile(x, y)


def put(town: Town, citizen: Citizen, x: int, y: int) -> None:
    place(town, citizen, at(town, x, y))


def obj(town: Town, object_id: str) -> int:
    return town.tables.object_index(object_id)


def put_at(town: Town, citizen: Citizen, object_id: str) -> None:
    """Put a citizen on the use tile of an object."""
    place(town, citizen, town.tables.objects[obj(town, object_id)].use_tile)


def set_needs(citizen: Citizen, **needs: float) -> None:
    for name, value in needs.items():
        citizen.needs[NEED_NAMES.index(name)] = value


def tick(town: Town, selections: Mapping[int, int] | None = None, times: int = 1) -> list[Event]:
    """Live some ticks with the same selections; return everything that happened."""
    town.events.clear()
    for _ in range(times):
        begin_tick(town)
        finish_tick(town, selections or {})
    return [*town.events]


def of_kind(town: Town, events: list[Event], kind: EventKind) -> list[Mapping[str, Any]]:
    return [payload(town, event) for event in events if event.kind is kind]
