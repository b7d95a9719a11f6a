"""Documents the tests start from and change."""

import json
from copy import deepcopy
from importlib import resources
from typing import Any, Final

Document = dict[str, Any]

CLASS_NAMES: Final = [
    "skimmer",
    "cutter",
    "corvette",
    "frigate",
    "dreadnought",
    "carrier",
    "arcology",
    "attack_sub",
    "deep_runner",
    "assault_transport",
    "freighter",
    "station",
    "farm",
    "rig",
    "fortress",
]


def demo() -> Document:
    """The example package: a corvette and a freighter against a submarine."""
    file = resources.files("diorama.worlds.tidebreak.scenarios") / "files" / "demo.json"
    document: Document = json.loads(file.read_text())
    return document


def changed(document: Document, path: str, value: object) -> Document:
    """Return a copy with one value replaced; `DELETE` removes it."""
    copy = deepcopy(document)
    here: Any = copy
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        here = here[part]
    if value is DELETE:
        del here[last]
    else:
        here[last] = value
    return copy


DELETE: Final = object()

_OWN_FIELDS: Final[Document] = {
    "hull": {
        "mass": 900,
        "radius": 20,
        "draught": 4,
        "hp": 300,
        "armour": 2,
        "max_speed": {"surface": 16},
        "acceleration": 0.8,
        "turn_rate": 0.1,
        "turn_lag": 2,
    },
    "capabilities": {"can_surface": True},
    "sensors": [],
    "weapons": [],
}


def of_no_class(document: Document, *, without: str | None = None) -> Document:
    """Return a copy whose first ship has everything of its own instead of a class, apart from one block."""
    ship = {**document["ships"][0], **_OWN_FIELDS}
    del ship["class_id"]
    if without is not None:
        del ship[without]
    return changed(document, "ships.0", ship)


def full() -> Document:
    """A package of the newest version that uses every block there is."""
    document = demo()
    document.update(schema_version="arena.v3", torch_seed=7, timeout_rule="margin", time_step_s=0.25)
    document["teams"][0]["faction_context"]["philosophy"] = {"militarism": 0.3, "commercialism": 0.7}
    rows = [[[0.1, -0.1]] * 17] * 17
    document["map"].update(
        bathymetry={"kind": "grid", "rows": [[900, 1000], [1100, 1200]]},
        currents={"kind": "grid", "rows": {"surface": rows, "abyssal": rows}},
        storms=[{"x": 0, "y": 0, "vx": 2, "radius": 3000, "intensity": 0.6, "profile": "CYCLONIC"}],
        layers={"submerged": {"sensor_modifiers": {"PASSIVE_SONAR": -3}, "speed_modifier": 0.9}},
    )
    document["map"]["obstacles"] += [
        {
            "shape": {"type": "polygon", "vertices": [[-100, -100], [100, -100], [0, 100]]},
            "position": [3000, 3000],
            "material": "soft",
            "intensity": 0.5,
            "layers": ["SURFACE", "SUBMERGED"],
        }
    ]
    document["map"]["zones"] += [
        {
            "shape": {"type": "rectangle", "size": [500, 900]},
            "position": [0, 4000],
            "modifier_type": "CURRENT",
            "intensity": 1,
            "vector": [0.5, 0.5],
        }
    ]
    corvette, freighter, submarine = document["ships"]
    corvette.update(
        sensors=[
            {"sensor_type": "RADAR", "range_m": 9000},
            {"sensor_type": "SONAR", "di_db": 10},
            {"sensor_type": "VISUAL", "factor": 1.2},
        ],
        weapons=[{"slot": 3, "weapon_type": "MN", "facing": "A", "ammunition": 5}, {"slot": 0, "weapon_type": "G76"}],
        fleet_id="first",
        is_flagship=True,
        subordinates=["acc-freighter-1"],
        leadership={"captain_id": "c1", "command_competence": 0.8, "operations_competence": 1, "traits": ["cautious"]},
        supply={"days_of_supply": 3, "supply_quality": 0.9, "ammo_reserves": 20, "critical_shortages": ["fuel"]},
        damage_state={"systems": {"PROPULSION": {"status": "DAMAGED", "fraction": 0.6}}, "fire": 0.2, "flood": 0.1},
        defenses={"armor": 9, "bulkhead": 0.5},
        extras={"note": [1, 2.5, None, {"deep": True}]},
    )
    corvette["initial_state"]["ammo"] = {"0": 100, "3": 2}
    freighter["objective"] = {
        "objective_id": "o3",
        "type": "EVACUATE",
        "target": "acc-corvette-1",
        "destination": {"ship_id": "acc-corvette-1", "position": [0, 0]},
        "zone": {"shape": "polygon", "center": [10, 20], "vertices": [[0, 0], [100, 0], [0, 100]]},
        "duration_s": 12.5,
        "deadline_s": 600,
        "cargo": "grain",
        "reward_config": {"progress": 2},
    }
    submarine.update(
        hull={"hp": 300, "max_speed": {"submerged": 12}},
        capabilities={"can_surface": True, "dive_s": 20},
        marines=1,
        security=2,
        decoys=3,
        no_surrender=True,
    )
    document["ships"].append(
        {
            "ship_id": "dom-city",
            "team_id": "dominion",
            "class_id": "arcology",
            "initial_state": {"x": 6500, "y": 5000, "heading": 1},
            "damage_state": {
                "compartments": [{"id": 1, "integrity": 0.5, "flooded": True, "crew": 900}, {"id": 9, "integrity": 0}]
            },
            "siege_state": {
                "attacker_forces": [
                    {"faction_id": "accord", "troops": 200, "entry_points": ["bow_quarter"], "controlled_systems": []}
                ],
                "contested_systems": ["cic", "weapons_port_fore", "flight_deck"],
                "breach_quality": 0.4,
                "siege_duration_ticks": 9,
            },
        }
    )
    return document


def result() -> Document:
    """A result of the example package with every block there is."""
    final = {"x": 1810.2, "y": -240.7, "heading": 1.02, "speed": 9.8, "layer": "SURFACE", "hp": 251.5}
    return {
        "schema_version": "arena.v1",
        "battle_id": "demo-0001",
        "seed": 424242,
        "content_hash": "5b1e" * 16,
        "winner_team_id": "accord",
        "end_reason": "ELIMINATION",
        "duration_s": 611.0,
        "ships": [
            {
                "ship_id": "acc-corvette-1",
                "fate": "OPERATIONAL",
                "exited": False,
                "final_state": {**final, "ammo": {"0": 160, "6": 400}},
                "final_morale": 0.61,
                "consumption": {"ammo_used": {"4": 3, "5": 5}, "fuel_used": 388.0, "decoys_used": 1},
                "crew_casualties": {"killed": 4, "wounded": 7},
                "damage_report": {
                    "damage_tier": 0,
                    "fire": 0.0,
                    "flood": 0.12,
                    "systems": {"PROPULSION": {"status": "DAMAGED", "fraction": 0.62}},
                    "compartments": [{"id": 0, "integrity": 1.0}],
                },
                "objective_outcome": {"type": "PROTECT", "status": "COMPLETED", "progress": 1.0, "reward_earned": 1.6},
            },
            {"ship_id": "acc-freighter-1", "fate": "OPERATIONAL", "final_state": final, "final_morale": 0.5},
            {
                "ship_id": "dom-sub-1",
                "fate": "CAPTURED",
                "capture_method": "SURRENDERED",
                "captor_team_id": "accord",
                "final_state": final,
                "final_morale": 0.1,
            },
        ],
        "teams": [{"team_id": "accord", "morale_delta": 0.17, "decisive_victory": True}],
        "event_summary": {"hits": 3, "kills": 1, "surrenders": 0, "transitions": 0, "hazard_damage": 0.0},
        "boarding_outcomes": [
            {
                "target_ship_id": "dom-sub-1",
                "attacker_team_id": "accord",
                "status": "REPULSED",
                "transfer_progress": 0.4,
                "entry_point": "bow",
            }
        ],
        "megaship_reports": [
            {
                "ship_id": "city",
                "propulsion_status": "OPERATIONAL",
                "cic_status": "DAMAGED",
                "primary_weapons": "DESTROYED",
                "power_systems": "DAMAGED",
                "district_damage": {"upper_city": 0.25},
                "morale_shock": 0.5,
                "legitimacy_impact": -0.125,
            }
        ],
        "replay": {
            "seed": 424242,
            "trace_version": "tbtrace.1",
            "action_log_ref": "demo-0001.tba",
            "action_log_hash": "sha256:00",
            "initial_state_hash": "01",
            "final_state_hash": "02",
        },
    }
