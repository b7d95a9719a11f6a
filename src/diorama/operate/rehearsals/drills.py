"""Commands with arguments that make sense anywhere: those of the platform, in an order in which each can be given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Drill:
    """A command with its arguments.

    Attributes:
        refusal: The reason for which even an admin is refused here; None where the command is carried out.
    """

    name: str
    args: Sequence[object] = ()
    kwargs: Mapping[str, object] = field(default_factory=dict)
    refusal: str | None = None


_SAVED: Final = "rehearsal"


def drills_of(own: Sequence[Drill] = (), *, script: str = "scripted", saved: str = _SAVED) -> tuple[Drill, ...]:
    """Return every command of a world once, in an order in which each can be given.

    Args:
        own: Those of the world itself; given between those of the platform.
        script: A bot of the world.
        saved: Name of the snapshot that is saved first and loaded last, so that what all the others did is undone.
    """
    return (
        Drill("snapshot_save", (saved,)),
        Drill("help"),
        Drill("noop"),
        Drill("telemetry_snapshot", (["health"],)),
        Drill("health_status"),
        Drill("promotion_status"),
        Drill("promote_policy", (script,), refusal="not_ready"),
        Drill("policy_swap", (script,)),
        Drill("rollback_policy", (), {"reason": "a rehearsal"}),
        Drill("policy_shadow", (script,)),
        Drill("promotion_ack", refusal="nothing_recommended"),
        Drill("snapshot_inspect", (saved,)),
        Drill("snapshot_validate", (saved,), {"strict": True}),
        Drill("snapshot_migrate", (saved, f"{saved}-migrated")),
        Drill("config_reload"),
        Drill("announce_story", ("A rehearsal, nothing more",)),
        Drill("set_privacy", ("off",)),
        *own,
        Drill("speed", ("pause",)),
        Drill("step", (1,)),
        Drill("snapshot_load", (saved,)),
    )
