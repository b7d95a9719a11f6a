"""What the event stream of a run carries."""

from typing import Literal

from diorama.server.models.base import Answer
from diorama.server.models.replays import ReplayEntry
from diorama.server.models.windows import WindowRow


class CheckpointMark(Answer):
    """A checkpoint that was written; `sha256` is known of the newest only."""

    window_id: int
    env_steps_total: int
    path: str
    sha256: str | None
    created_at: str


class RunState(Answer):
    """Where a run stands."""

    run_id: str
    status: Literal["running", "completed", "stopped", "failed"]
    env_steps_total: int
    target_env_steps: int
    windows_emitted: int
    checkpoints_written: int
    replays_written: int
    updated_at: str
    finished_at: str | None
    error: str | None


class FollowEvent(Answer):
    """One event: a text of the fields `id`, `event` and `data`, the last as JSON.

    A `window` carries its row, a `checkpoint` its mark, a `replay` its index entry and a `status` the state of the run.
    """

    id: str
    event: Literal["window", "checkpoint", "replay", "status"]
    data: WindowRow | CheckpointMark | ReplayEntry | RunState
