"""The two documents the native core is set up from: the compiled tables, and the configuration beside them."""

import json
from dataclasses import asdict
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.personalities import profile_names
from diorama.worlds.townlet.tables.town_tables import TownTables

_PLAIN: Final = (
    "types",
    "items",
    "roles",
    "buckets",
    "beds",
    "reach",
    "open_to",
    "home_fridge",
    "home_stove",
    "cafe_zone",
    "park_zone",
)
_RECORDS: Final = ("objects", "jobs", "profiles", "perturbations")


def tables_document(tables: TownTables) -> str:
    """The tables as JSON; names that only Python tells are left in where they stand in a row, and ignored."""
    return json.dumps(
        {
            "map": asdict(tables.map),
            **{name: getattr(tables, name) for name in _PLAIN},
            **{name: [asdict(row) for row in getattr(tables, name)] for name in _RECORDS},
            "affordances": [_affordance(row) for row in tables.affordances],
            "by_type": [[row.index for row in rows] for rows in tables.by_type],
        }
    )


def config_document(config: TownletConfig) -> str:
    """The configuration as JSON, with profiles by index, the distribution sorted as it is drawn from."""
    profiles = profile_names()
    people = config.personalities
    personalities = {
        "distribution": [[profiles.index(name), weight] for name, weight in sorted(people.distribution.items())],
        "overrides": {citizen: profiles.index(name) for citizen, name in people.overrides.items()},
        "trait_jitter": people.trait_jitter,
    }
    return json.dumps({**config.model_dump(mode="json"), "personalities": personalities})


def _affordance(row: AffordanceRow) -> JsonObject:
    conditions = [
        {
            "code": [list(step) for step in condition.code],
            "operands": [number for number, _ in condition.operands],
            "needs_power": condition.needs_power,
            "needs_water": condition.needs_water,
        }
        for condition in row.conditions
    ]
    return {**asdict(row), "conditions": conditions}
