"""Reports of a trainer: vector steps and policy updates."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from diorama.contracts.values import F32, U8, U16, U64


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One vector step of one contiguous run of copies.

    The arrays are views of the trainer's storage and valid only during the call.

    Attributes:
        first_copy: Index of the first copy in the whole batch.
        copies: How many copies follow, itself included.
        agents: Seats per copy; a row is one seat of one copy.
        rewards: One per row.
        terminated: One per row.
        truncated: One per row.
        alive_before: One per row; 1 where the row took this decision.
        obs: Returns the float observations the decisions were taken from, rows by entries; may copy from a device.
        metrics: Rows by metrics, after the step; final values where the row ended.
        dt: One per copy; ticks the step took.
        events: One per copy; bit = index in the world's event table.
        stored_starts: One per copy; 1 where its episode began in a stored state. None where all begin in ordinary ones.
    """

    first_copy: int
    copies: int
    agents: int
    rewards: F32
    terminated: U8
    truncated: U8
    alive_before: U8
    obs: Callable[[], F32]
    metrics: F32
    dt: U16
    events: U64
    stored_starts: U8 | None = None


class DataMode(StrEnum):
    """Where the transitions of a run come from: rollouts, stored episodes, or both in turns."""

    ROLLOUT = "rollout"
    REPLAY = "replay"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateReport:
    """Results of one policy update; counters are those of the whole run, times are seconds of this update.

    Attributes:
        data_mode: Where the transitions of the run come from.
        cycle: Number of the cycle of rollout and training, from 1; 0 in a run without rollouts.
        is_replayed: Whether this update was learned from stored episodes.
    """

    update: int
    env_steps_total: int
    agent_steps_total: int
    ticks_total: int
    loss_policy: float
    loss_value: float
    entropy: float
    loss_total: float
    approx_kl: float
    approx_kl_max: float
    clip_fraction: float
    explained_variance: float
    learning_rate: float
    grad_norm: float
    grad_norm_max: float
    adv_mean: float
    adv_std: float
    entropy_std: float
    reward_advantage_corr: float
    minibatches: int
    transitions: int
    epochs_done: int
    seconds_env: float
    seconds_policy: float
    seconds_learn: float
    seconds_total: float
    clip_fraction_max: float = 0.0
    clip_triggered_minibatches: int = 0
    skipped_minibatches: int = 0
    data_mode: DataMode = DataMode.ROLLOUT
    cycle: int = 1
    is_replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtUpdateReport(UpdateReport):
    """Results of a policy update that followed a teacher, too.

    Attributes:
        loss_kickstarting: Cross-entropy against the teacher, before it is weighted.
        teacher_agreement: Share of the decisions with a choice in which the policy's most likely options are the
            teacher's.
        kickstarting_weight: Weight of the cross-entropy in the loss.
        seconds_teacher: Part of `seconds_policy` in which the teacher was asked.
    """

    loss_kickstarting: float
    teacher_agreement: float
    kickstarting_weight: float
    seconds_teacher: float
