"""Objectives that come to their end, judged by both tiers: every state word and the whole result are the same."""

from collections.abc import Mapping

import pytest

from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.packages import to_canonical_json
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.resolve import ResolvedPackage
from tests.worlds.tidebreak.reference.battles import Document, package, ship

TICKS = 50
WRECKED: Document = {"systems": {"PROPULSION": {"fraction": 0.0}, "WEAPONS": {"fraction": 0.0}}}
EAST_EDGE: Document = {"x": 7950.0, "speed": 15.0}

CASES: dict[str, tuple[Document, str, Document]] = {
    "destroy": ({"type": "DESTROY", "target": "prey"}, "COMPLETED", {"hp": 1.0, "damage_state": {"fire": 0.9}}),
    "disable": ({"type": "DISABLE", "target": "prey"}, "COMPLETED", {"damage_state": WRECKED}),
    "raid": ({"type": "RAID"}, "ACTIVE", {}),
    "intercept-on-the-spot": ({"type": "INTERCEPT", "targets": ["prey"], "asset": "mate"}, "FAILED", {}),
    "protect": ({"type": "PROTECT", "asset": "mate"}, "COMPLETED", {}),
    "protect-until-a-deadline": ({"type": "PROTECT", "asset": "mate", "deadline_s": 15.5}, "COMPLETED", {}),
    "screen": (
        {"type": "SCREEN", "asset": "mate", "zone": {"shape": "circle", "relative_to": "mate", "radius": 400}},
        "COMPLETED",
        {},
    ),
    "loiter": (
        {"type": "LOITER", "zone": {"shape": "rectangle", "center": [0, 0], "size": [300, 200]}, "duration_s": 20},
        "COMPLETED",
        {},
    ),
    "loiter-elsewhere-until-a-deadline": (
        {
            "type": "LOITER",
            "zone": {"shape": "circle", "center": [5000, 0], "radius": 50},
            "duration_s": 20,
            "deadline_s": 10,
        },
        "FAILED",
        {},
    ),
    "scout": (
        {
            "type": "SCOUT",
            "zone": {"shape": "polygon", "relative_to": "mate", "vertices": [[-900, -900], [900, -900], [0, 900]]},
        },
        "COMPLETED",
        {},
    ),
    "deliver-to-a-place": ({"type": "DELIVER", "destination": [100, 100]}, "COMPLETED", {}),
    "deliver-to-a-ship": ({"type": "DELIVER", "destination": "mate", "cargo": "grain"}, "COMPLETED", {}),
    "recover": ({"type": "RECOVER", "target": "mate"}, "COMPLETED", {}),
    "evacuate": ({"type": "EVACUATE", "target": "mate", "destination": [0, 250]}, "COMPLETED", {}),
    "evade-to-a-ship": ({"type": "EVADE", "destination": {"ship_id": "mate", "position": [0, 0]}}, "COMPLETED", {}),
    "shadow": ({"type": "SHADOW", "target": "prey", "duration_s": 600}, "FAILED", {}),
}


def lockstep(resolved: ResolvedPackage, controllers: Mapping[str, str]) -> Arena:
    """Fight in both tiers until the end; return the readable one."""
    reference = Arena(resolved, controllers, is_collecting=True)
    fast = open_arena(resolved, controllers, is_collecting=True)
    while not reference.battle.outcome.is_over:
        reference.step({})
        fast.step({})
        assert fast.state_hash() == reference.state_hash(), f"tick {reference.battle.tick}"
    assert fast.is_over
    assert fast.result() == to_canonical_json(reference.result())
    return reference


def told(arena: Arena, ship_id: str) -> str:
    outcome = next(entry for entry in arena.result().ships if entry.ship_id == ship_id).objective_outcome
    assert outcome is not None
    return outcome.status.name


@pytest.mark.parametrize("name", CASES)
def test_an_objective_ends_alike_in_both_tiers(name: str) -> None:
    objective, expected, prey = CASES[name]
    resolved = package(
        ship("hunter", objective={"objective_id": "o", "priority": 0.9} | objective, is_flagship=True),
        ship("mate", class_id="freighter", x=150.0, y=0.0),
        ship("prey", "blue", x=150.0, y=350.0, **prey),
        time_limit_s=TICKS,
        timeout_rule="margin",
    )

    arena = lockstep(resolved, dict.fromkeys(("hunter", "mate", "prey"), "script:idle"))

    assert told(arena, "hunter") == expected


def test_a_raider_and_an_evader_leave_over_an_open_edge_alike() -> None:
    resolved = package(
        ship("raider", objective={"objective_id": "r", "type": "RAID"}, **EAST_EDGE),
        ship("runner", objective={"objective_id": "e", "type": "EVADE"}, y=600.0, **EAST_EDGE),
        area={"edges": "open"},
        time_limit_s=40,
    )

    arena = lockstep(resolved, dict.fromkeys(("raider", "runner"), "script:evader"))

    assert (told(arena, "raider"), told(arena, "runner")) == ("FAILED", "COMPLETED")


@pytest.mark.parametrize("class_id", ["corvette", "arcology"])
def test_a_capture_ends_alike_in_both_tiers(class_id: str) -> None:
    capture = {"objective_id": "c", "type": "CAPTURE", "target": "prize"}
    resolved = package(
        ship("boarder", class_id="assault_transport", x=-230.0, objective=capture, marines=2000),
        ship("prize", "blue", class_id, damage_state=WRECKED, no_surrender=True, security=0),
        time_limit_s=600,
        rules={"objective_ends_battle": True},
    )

    arena = lockstep(resolved, {"boarder": "script:boarder", "prize": "script:idle"})

    assert told(arena, "boarder") == "COMPLETED"
