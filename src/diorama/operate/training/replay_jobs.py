"""What a replay recorder is asked for and what it answers, as lines of JSON."""

import msgspec

from diorama.runs.documents import RawObject


class ReplayJob(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play episodes from a checkpoint and keep the best of them.

    Attributes:
        run_directory: Where the run lies.
        checkpoint_path: Relative to it.
        seeds: Of the episodes.
    """

    run_directory: str
    world: str
    config: RawObject
    tier: str
    trainer_backend: str
    window_id: int
    checkpoint_path: str
    sha256: str
    env_steps_total: int
    seeds: list[int]
    deterministic: bool
    max_steps: int
    include_info: bool
    milestones: dict[str, list[float]]


class ReplayAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The entry of the index as it is stored, or why there is none."""

    window_id: int
    entry: RawObject | None = None
    error: str | None = None
