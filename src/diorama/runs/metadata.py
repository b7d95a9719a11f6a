"""`run_metadata.json`: the live state of a run."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Literal

from diorama.runs.documents import Document, Int64, RawObject

SCHEMA_VERSION: Final = 1


class RunStatus(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"


class TrainerBackend(StrEnum):
    """What chooses the actions of a run."""

    RANDOM = "random"
    PPO = "ppo"


class LatestWindow(Document, frozen=True, kw_only=True):
    """The newest row of the window metrics."""

    window_id: Int64
    window_complete: bool
    env_steps_start: Int64
    env_steps_end: Int64
    env_steps_in_window: Int64
    env_steps_total: Int64
    metrics_row_path: str


class LatestCheckpoint(Document, frozen=True, kw_only=True):
    """The newest checkpoint."""

    window_id: Int64
    env_steps_total: Int64
    path: str
    sha256: str
    created_at: str


class BestCheckpoint(LatestCheckpoint, frozen=True, kw_only=True):
    """The checkpoint that did best on validation seeds.

    Attributes:
        metric: What the score is the mean of; higher is better.
        episodes: Validation seeds that were played.
        score: Mean over them.
    """

    metric: str
    episodes: Int64
    score: float


class RunMetadata(Document, frozen=True, kw_only=True):
    """Everything the document says; paths are relative to the run, moments are ISO-8601 in UTC."""

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: str
    world: str
    interface_version: str
    config_hash: str
    status: RunStatus = RunStatus.RUNNING
    trainer_backend: TrainerBackend
    seed: int
    target_env_steps: Int64
    window_env_steps: Int64
    env_steps_total: Int64 = 0
    ticks_total: Int64 = 0
    episodes_total: Int64 = 0
    windows_emitted: Int64 = 0
    checkpoints_written: Int64 = 0
    replays_written: Int64 = 0
    latest_window: LatestWindow | None = None
    latest_checkpoint: LatestCheckpoint | None = None
    latest_replay: RawObject | None = None
    metrics_windows_path: str = "metrics/windows.jsonl"
    checkpoints_dir: str = "checkpoints"
    replays_dir: str = "replays"
    replay_index_path: str | None = None
    config_path: str = "config.json"
    wandb_run_url: str | None = None
    constellation_url: str | None = None
    info_metric_keys: tuple[str, ...]
    tier_requested: str
    tier_selected: str
    tier_fallback_reason: str | None
    device: str
    copies: Int64
    policy_arch: str | None
    policy_updates: Int64 = 0
    started_at: str
    updated_at: str
    finished_at: str | None = None
    error: str | None = None
    best_checkpoint: BestCheckpoint | None = None

    def __post_init__(self) -> None:
        """Refuse moments that nobody can compare with now."""
        for name in ("started_at", "updated_at", "finished_at"):
            moment = getattr(self, name)
            if moment is not None and datetime.fromisoformat(moment).tzinfo is None:
                raise ValueError(f"{name} is {moment!r}; it must have a time zone, such as Z")


def is_stale(metadata: RunMetadata, *, now: datetime, limit: timedelta) -> bool:
    """Whether a run says it is running and has not been heard of for longer than the limit."""
    silence = now - datetime.fromisoformat(metadata.updated_at)
    return metadata.status is RunStatus.RUNNING and silence > limit
