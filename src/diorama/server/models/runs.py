"""Runs: the list, and the metadata of one."""

from typing import Literal

from diorama.server.models.base import Answer, JsonObject
from diorama.server.models.replays import ReplayEntry


class LatestWindow(Answer):
    """The newest row of the window metrics."""

    window_id: int
    window_complete: bool
    env_steps_start: int
    env_steps_end: int
    env_steps_in_window: int
    env_steps_total: int
    metrics_row_path: str


class LatestCheckpoint(Answer):
    """The newest checkpoint."""

    window_id: int
    env_steps_total: int
    path: str
    sha256: str
    created_at: str


class BestCheckpoint(LatestCheckpoint):
    """The checkpoint that did best on validation seeds."""

    metric: str
    episodes: int
    score: float


class RunRow(Answer):
    """One run in the list.

    Of a run whose metadata cannot be read only `run_id`, `status`, `replay_count`, `updated_at`, `tags` and `problem`
    are known. `tags` are those of its replays; `problem` tells what is wrong with its files, null if nothing is.
    """

    run_id: str
    world: str | None
    status: Literal["running", "completed", "stopped", "failed", "unreadable"]
    trainer_backend: Literal["random", "ppo"] | None
    env_steps_total: int | None
    windows_emitted: int | None
    checkpoints_written: int | None
    latest_window: LatestWindow | None
    latest_checkpoint: LatestCheckpoint | None
    latest_replay: ReplayEntry | None
    replay_count: int
    wandb_run_url: str | None
    updated_at: str
    started_at: str | None
    finished_at: str | None
    tags: list[str]
    problem: str | None


class RunList(Answer):
    """The runs that were updated last; `total` counts all that match."""

    runs: list[RunRow]
    count: int
    total: int


class RunMetadata(Answer):
    """The live state of a run."""

    schema_version: Literal[1]
    run_id: str
    world: str
    interface_version: str
    config_hash: str
    status: Literal["running", "completed", "stopped", "failed"]
    trainer_backend: Literal["random", "ppo"]
    seed: int
    target_env_steps: int
    window_env_steps: int
    env_steps_total: int
    ticks_total: int
    episodes_total: int
    windows_emitted: int
    checkpoints_written: int
    replays_written: int
    latest_window: LatestWindow | None
    latest_checkpoint: LatestCheckpoint | None
    latest_replay: ReplayEntry | None
    metrics_windows_path: str
    checkpoints_dir: str
    replays_dir: str
    replay_index_path: str | None
    config_path: str
    wandb_run_url: str | None
    constellation_url: str | None
    info_metric_keys: list[str]
    tier_requested: str
    tier_selected: str
    tier_fallback_reason: str | None
    device: str
    copies: int
    policy_arch: str | None
    policy_updates: int
    started_at: str
    updated_at: str
    finished_at: str | None
    error: str | None
    best_checkpoint: BestCheckpoint | None = None


class RunDetail(Answer):
    """One run."""

    run_id: str
    metadata: RunMetadata
    replay_count: int


class RunConfig(Answer):
    """The frozen copy of the configuration a run was started with."""

    run_id: str
    config_path: str
    config: JsonObject
