"""What happens in a training run, as frozen dataclasses; sinks decide how it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from diorama.contracts.training_reports import UpdateReport
from diorama.contracts.values import JsonObject


class RunOutcome(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened; `at` is the moment in ISO-8601, UTC."""

    event_type: ClassVar[str]

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Event):
    """Training begins, or continues from a checkpoint; always the first event.

    Attributes:
        env_steps_total: Decisions taken before this start; 0 unless resumed.
        ticks_total: Simulated time before this start; 0 unless resumed.
        agent_steps_total: Decisions of living seats and transitions of replays before this start; 0 unless resumed.
        config: The full training configuration.
    """

    event_type: ClassVar[str] = "RUN_STARTED"

    run_id: str
    world: str
    interface_version: str
    config_hash: str
    trainer_backend: str
    seed: int
    target_env_steps: int
    window_env_steps: int
    copies: int
    device: str
    tier_selected: str
    policy_arch: str | None
    is_resumed: bool
    env_steps_total: int
    ticks_total: int
    agent_steps_total: int
    config: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed(Event):
    """A window is complete; `row` is the line that stands in `metrics/windows.jsonl`."""

    event_type: ClassVar[str] = "WINDOW_CLOSED"

    window_id: int
    env_steps_total: int
    row: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyUpdated(Event):
    """The policy was updated; `extras` are fields that a world adds to its PPO telemetry."""

    event_type: ClassVar[str] = "POLICY_UPDATED"

    report: UpdateReport
    extras: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldTold(Event):
    """A world told something; `body` has its own `event_type`, `data` and whatever else the world says of it."""

    event_type: ClassVar[str] = "WORLD_TOLD"

    body: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointWritten(Event):
    """A checkpoint lies whole on the disk; `path` is relative to the run directory."""

    event_type: ClassVar[str] = "CHECKPOINT_WRITTEN"

    window_id: int
    env_steps_total: int
    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayWritten(Event):
    """A replay lies whole on the disk; both paths are relative to the run directory."""

    event_type: ClassVar[str] = "REPLAY_WRITTEN"

    window_id: int
    replay_id: str
    replay_path: str
    meta_path: str
    tags: tuple[str, ...]
    return_total: float
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(Event):
    """Training is over; always the last event. `error` is `Type: message` where it failed."""

    event_type: ClassVar[str] = "RUN_ENDED"

    outcome: RunOutcome
    env_steps_total: int
    ticks_total: int
    windows_emitted: int
    error: str | None
