"""Every command once: how it is given, and what an admin of a small quiet town is answered."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Drill:
    """A command with its arguments; `refusal` is the reason an admin meets, if any."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    refusal: str | None = None


def drills(place: str) -> tuple[Drill, ...]:
    """Return the drills of somebody; the first saves the town, the last puts it back for whoever drills next."""
    return tuple(
        Drill(each.name, tuple(_placed(value, place) for value in each.args), each.kwargs, each.refusal)
        for each in _DRILLS
    )


def _placed(value: Any, place: str) -> Any:
    return f"{value}-{place}" if value in (_SAVED, _MIGRATED) else value


_SAVED, _MIGRATED = "drill", "migrated"
_DRILLS = (
    Drill("snapshot_save", (_SAVED,)),
    Drill("help"),
    Drill("noop"),
    Drill("telemetry_snapshot", (["utilities", "economy"],)),
    Drill("health_status"),
    Drill("promotion_status"),
    Drill("promote_policy", ("scripted",), refusal="not_ready"),
    Drill("policy_shadow", ("scripted",)),
    Drill("policy_swap", ("scripted",)),
    Drill("rollback_policy", (), {"reason": "a drill"}),
    Drill("promotion_ack", refusal="nothing_recommended"),
    Drill("snapshot_inspect", (_SAVED,)),
    Drill("snapshot_validate", (_SAVED,), {"strict": True}),
    Drill("snapshot_migrate", (_SAVED, _MIGRATED)),
    Drill("config_reload"),
    Drill("speed", ("pause",)),
    Drill("announce_story", ("A drill, nothing more",)),
    Drill("set_privacy", ("off",)),
    Drill("spawn", (), {"name": "Nora", "position": [12, 3], "needs": {"hunger": 0.9}}),
    Drill("teleport", ("citizen_000", 10, 2)),
    Drill("setneed", ("citizen_000", "hunger", 0.5)),
    Drill("possess", ("citizen_001", "acquire")),
    Drill("possess_act", ("citizen_001", 0)),
    Drill("price", ("meal_cost", 2)),
    Drill("utility", ("water", "on")),
    Drill("arrange_meet", (["citizen_000", "citizen_001"],)),
    Drill("perturbation_trigger", ("blackout",), {"starts_in": 5}),
    Drill("perturbation_queue"),
    Drill("perturbation_cancel", ("nothing",), refusal="unknown_event"),
    Drill("force_chat", ("citizen_000", "citizen_001")),
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
    Drill("step", (1,)),
    Drill("snapshot_load", (_SAVED,)),
)
