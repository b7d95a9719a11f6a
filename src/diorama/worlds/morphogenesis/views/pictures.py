"""What the views draw: frozen pictures of a run, its envs, its policy and what happened. None is what nobody knows."""

from dataclasses import dataclass
from datetime import datetime

from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    CounterfactualMatrixPayload,
    LastActionSnapshot,
    ShapleyEstimate,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.contracts.payloads.training import SeedEpochSummary, TrainingStartedPayload


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPicture(Payload):
    """One slot; without a seed only its id is known."""

    slot_id: str
    seed: SeedEpochSummary | None = None
    curve: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStep(Payload):
    """A change of a slot, for the timeline."""

    epoch: int
    slot_id: str
    stage: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvPicture(Payload):
    """One env as it stands. Accuracies are percent, gains and contributions points, rewards raw.

    Attributes:
        synergy: Sum of what its seeds do for each other.
        growth: Parameters over those of the host alone.
        momentum: Mean change of the accuracy over the last epochs.
        status: In a word; it changes when three epochs agree.
        rolled_back_at: When its governor last put it back.
    """

    env_id: int
    episode: int | None
    epoch: int
    accuracy: float | None
    loss: float | None
    control: float | None
    gain: float | None
    synergy: float | None
    growth: float | None
    episode_reward: float
    last_reward: float | None
    rent: float | None
    accuracy_delta: float | None
    contribution: float | None
    momentum: float | None
    accuracies: tuple[float, ...]
    rewards: tuple[float, ...]
    best_accuracy: float | None
    stale_epochs: int
    status: str
    slots: tuple[SlotPicture, ...]
    last_decision: LastActionSnapshot | None
    matrix: CounterfactualMatrixPayload | None
    timeline: tuple[StageStep, ...]
    updated_at: datetime
    rolled_back_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodePicture(Payload):
    """An episode that is over."""

    env_id: int
    episode: int
    peak_epoch: int
    peak: float
    final: float
    control: float | None
    accuracies: tuple[float, ...]
    growth: float
    reward: float
    outcome: str
    stages: dict[str, int]
    attribution: dict[str, ShapleyEstimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintFate(Payload):
    """What became of the seeds of a blueprint."""

    planted: int = 0
    permanent: int = 0
    pruned: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPicture(Payload):
    """The last updates of the policy, newest last, and what it decides."""

    updates: tuple[PPOMetrics, ...]
    ops_now: dict[str, int]
    ops_all: dict[str, int]
    successes: dict[str, int]
    failures: dict[str, int]
    decisions: tuple[LastActionSnapshot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine(Payload):
    """One line of the event log."""

    event_id: str
    at: datetime
    severity: str
    kind: str
    env_id: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPicture(Payload):
    """Everything about one group of a run; `groups` are all there are, in the order they began.

    Attributes:
        round: Rounds that are over.
        anomalies: Troubles by kind; empty where all is clear.
        graveyard: Seeds by blueprint.
        phases: Milliseconds of wall time by phase of the last profiled epoch.
        stopped: Why training ended early.
    """

    groups: tuple[str, ...]
    group_id: str
    run: TrainingStartedPayload | None
    controller: str | None
    round: int
    epoch: int
    elapsed_s: float
    epochs_per_s: float | None
    samples_per_s: float | None
    best_accuracy: float | None
    rolling_accuracy: float | None
    envs: tuple[EnvPicture, ...]
    best_episodes: tuple[EpisodePicture, ...]
    worst_episodes: tuple[EpisodePicture, ...]
    policy: PolicyPicture
    graveyard: dict[str, BlueprintFate]
    anomalies: dict[str, int]
    narrative: tuple[str, ...]
    log: tuple[LogLine, ...]
    phases: dict[str, float]
    last_event_at: datetime | None
    dropped: int
    malformed: int
    stopped: str | None = None
