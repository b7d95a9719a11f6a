"""Window metrics."""

from typing import Literal

from diorama.server.models.base import Answer, OpenAnswer


class WindowRow(OpenAnswer):
    """One closed window.

    Beside these keys stand `{metric}_mean` for every metric of the world's descriptor, and its aliases.
    """

    schema_version: Literal[1]
    run_id: str
    world: str
    window_id: int
    window_complete: bool
    env_steps_start: int
    env_steps_end: int
    env_steps_in_window: int
    env_steps_total: int
    agent_steps_in_window: int
    agent_steps_total: int
    ticks_in_window: int
    ticks_total: int
    episodes_completed: int
    terminated_episodes: int
    truncated_episodes: int
    reward_sum: float
    reward_mean: float
    return_mean: float | None
    return_median: float | None
    return_std: float | None
    episode_length_mean: float | None
    invalid_action_rate: float
    end_reason_counts: dict[str, int]
    wall_seconds: float
    steps_per_sec: float | None
    created_at: str
    loss_policy: float | None = None
    loss_value: float | None = None
    entropy: float | None = None
    approx_kl: float | None = None
    clip_fraction: float | None = None
    explained_variance: float | None = None
    learning_rate: float | None = None
    loss_kickstarting: float | None = None
    teacher_agreement: float | None = None
    kickstarting_weight: float | None = None
    policy_updates: int | None = None
    seconds_env: float | None = None
    seconds_policy: float | None = None
    seconds_learn: float | None = None


class WindowList(Answer):
    """Windows of a run; `total` counts all of them.

    A row that is broken is left out; `problem` tells what is wrong with the first, null if nothing is.
    """

    run_id: str
    metrics_path: str
    count: int
    total: int
    problem: str | None
    windows: list[WindowRow]
