"""The town's own commands with arguments that a small town of three can carry out, in this order."""

from typing import Final

from diorama.operate.rehearsals.drills import Drill

_GUEST: Final = "guest"

TOWN_DRILLS: Final = (
    # Somebody who has just come is not asleep and not at the stove; a possessed one stays so.
    Drill("spawn", (_GUEST,), {"name": "Nora", "position": [12, 3], "needs": {"hunger": 0.9}}),
    Drill("possess", (_GUEST, "acquire")),
    Drill("possess_act", (_GUEST, 0)),
    Drill("teleport", ("citizen_000", 10, 2), {"force": True}),
    Drill("force_chat", (_GUEST, "citizen_000")),
    Drill("setneed", (_GUEST, "hunger", 0.5)),
    Drill("price", ("meal_cost", 2)),
    Drill("utility", ("water", "on")),
    Drill("arrange_meet", (["citizen_000", "citizen_001"],)),
    Drill("perturbation_trigger", ("blackout",), {"starts_in": 5}),
    Drill("perturbation_queue"),
    Drill("perturbation_cancel", ("nothing",), refusal="unknown_event"),
    Drill("set_rel", ("citizen_000", "citizen_001"), {"trust": 0.5}),
    Drill("relationship_summary"),
    Drill("relationship_detail", ("citizen_000",)),
    Drill("rivalry_dump"),
    Drill("conflict_status"),
    Drill("social_events", (5,)),
    Drill("debug_queues"),
    Drill("affordance_status"),
    Drill("employment_status"),
    Drill("employment_exit", ("approve", "citizen_000"), refusal="not_pending"),
    Drill("toggle_mortality", ("on",)),
    Drill("set_exit_cap", (2,)),
    Drill("set_spawn_delay", (5, 20)),
    Drill("set_death_threshold", ("hunger", 0.02, 30)),
    Drill("kill", ("citizen_002",)),
)
