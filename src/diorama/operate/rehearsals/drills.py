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

OPENING_DRILLS: Final = (
    Drill("snapshot_save", (_SAVED,)),
    Drill("help"),
    Drill("noop"),
    Drill("telemetry_snapshot", (["health"],)),
    Drill("health_status"),
    Drill("promotion_status"),
    Drill("promote_policy", ("scripted",), refusal="not_ready"),
    Drill("policy_swap", ("scripted",)),
    Drill("rollback_policy", (), {"reason": "a rehearsal"}),
    Drill("policy_shadow", ("scripted",)),
    Drill("promotion_ack", refusal="nothing_recommended"),
    Drill("snapshot_inspect", (_SAVED,)),
    Drill("snapshot_validate", (_SAVED,), {"strict": True}),
    Drill("snapshot_migrate", (_SAVED, "rehearsal-migrated")),
    Drill("config_reload"),
    Drill("announce_story", ("A rehearsal, nothing more",)),
    Drill("set_privacy", ("off",)),
)
# They come last: what the others did to the world is undone.
CLOSING_DRILLS: Final = (
    Drill("speed", ("pause",)),
    Drill("step", (1,)),
    Drill("snapshot_load", (_SAVED,)),
)
