"""One env: a controlled host with its slots, governor, tracker, counters and what its rewards remember."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.outcomes import stability_score
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.contributions.coalitions import CoalitionTable
from diorama.worlds.morphogenesis.controller.planting import PlantingMemory
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.signals import TREND_EPOCHS, SignalTracker
from diorama.worlds.morphogenesis.engine.reward_memory import RewardMemory
from diorama.worlds.morphogenesis.hosting.growth import Growth
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from diorama.worlds.morphogenesis.rewards.progress import progress_since_germination, reference_improvement
from diorama.worlds.morphogenesis.safety.governor import Governor
from diorama.worlds.morphogenesis.vectorized_types import EnvStepRecord

SHOWN_HISTORY: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochReading:
    """What one epoch showed of an env. `control_acc` is the twin's; None without one, or when it has failed.

    `all_off_acc` and `committed_acc` come from the coalition table: without any seed, and with the permanent ones.
    """

    val_loss: float
    val_acc: float
    train_loss: float = 0.0
    train_acc: float = 0.0
    host_grad_norm: float = 0.0
    control_acc: float | None = None
    all_off_acc: float | None = None
    committed_acc: float | None = None

    @property
    def gain(self) -> float | None:
        """Percentage points over the control twin."""
        return None if self.control_acc is None else self.val_acc - self.control_acc

    @property
    def total_effect(self) -> float | None:
        """Percentage points that switching every seed off would cost."""
        return None if self.all_off_acc is None else self.val_acc - self.all_off_acc


@dataclass(slots=True, kw_only=True)
class EpisodeCounts:
    """What an env did in an episode; accepted operations only."""

    germinated: int = 0
    pruned: int = 0
    fossilized: int = 0
    unattributed_rollbacks: int = 0


AlphaInForce = dict[str, tuple[float, int]]
"""Alpha and parameters of every seed on the output path during an epoch, by seed id."""


@dataclass(slots=True, kw_only=True)
class Env:
    """One row of the engine that is decided for. `row` is its place in the batch, `env_id` its name in the run.

    `table` holds the coalitions of the epoch just finished; None where none were due. `segment_steps` counts the
    decisions since the episode or the last rollback began.
    """

    row: int
    env_id: int
    growth: Growth
    governor: Governor
    tracker: SignalTracker
    has_twin: bool
    record: EnvStepRecord
    memory: RewardMemory = field(default_factory=RewardMemory)
    planting: PlantingMemory = field(default_factory=PlantingMemory)
    counts: EpisodeCounts = field(default_factory=EpisodeCounts)
    readings: list[EpochReading] = field(default_factory=list)
    table: CoalitionTable | None = None
    raw_rewards: list[float] = field(default_factory=list)
    segment_steps: int = 0
    previous_succeeded: bool = True
    previous_op: LifecycleOp = LifecycleOp.WAIT
    alphas: AlphaInForce = field(default_factory=dict)
    alphas_before: AlphaInForce = field(default_factory=dict)

    def reset(self, round_index: int) -> None:
        """Begin an episode."""
        self.growth.reset(round_index=round_index, env_id=self.env_id)
        self.governor.reset()
        self.tracker.reset()
        self.record.reset_episode()
        self.memory = RewardMemory()
        self.planting = PlantingMemory()
        self.counts = EpisodeCounts()
        self.readings.clear()
        self.table = None
        self.raw_rewards.clear()
        self.segment_steps = 0
        self.previous_succeeded, self.previous_op = True, LifecycleOp.WAIT
        self.alphas, self.alphas_before = {}, {}

    @property
    def reading(self) -> EpochReading:
        """The epoch just finished."""
        return self.readings[-1]

    @property
    def episode_reward(self) -> float:
        """Raw rewards of the episode so far, penalties included."""
        return self.record.env_total_reward

    @property
    def stability(self) -> float:
        """How steady the raw rewards are."""
        return stability_score(self.raw_rewards)

    @property
    def param_ratio(self) -> float:
        """Parameters of host and seeds over those of the host."""
        return self.growth.total_params() / self.growth.host_params

    @property
    def total_effect(self) -> float | None:
        """What all seeds together were worth when that was last measured, as contributions are kept, too."""
        measured = (reading.total_effect for reading in reversed(self.readings))
        return next((effect for effect in measured if effect is not None), None)

    def count_stage(self, stage: SeedStage) -> int:
        """Return how many slots are in a stage."""
        return self.growth.stages().count(stage)

    def note_alphas(self) -> None:
        """Remember the alphas that the coming epoch runs with."""
        self.alphas_before = self.alphas
        self.alphas = {
            state.seed_id: (state.alpha.alpha, state.metrics.seed_param_count)
            for state in self.growth.states()
            if state.stage in CONTRIBUTING_STAGES
        }

    def progress_of(self, state: SeedState) -> float | None:
        """Return the percentage points an env won since a seed was planted: over the twin, where there is one."""
        return progress_since_germination(
            val_acc=self.reading.val_acc,
            gain=self.reading.gain,
            acc_at_germination=state.acc_at_germination,
            gain_at_germination=state.gain_at_germination,
            has_twin=self.has_twin,
        )

    def reference_improvement_of(self, state: SeedState) -> float | None:
        """Return what a seed's contribution is checked against."""
        return reference_improvement(
            progress=self.progress_of(state), total_seed_effect=self.total_effect, has_twin=self.has_twin
        )

    def steady_improvement_of(self, state: SeedState) -> float | None:
        """Return the same as the mean of the last epochs, for whoever passes a verdict: single epochs swing."""
        recent = self.readings[-TREND_EPOCHS:]
        gains = [reading.gain for reading in recent if reading.gain is not None]
        progress = progress_since_germination(
            val_acc=sum(reading.val_acc for reading in recent) / len(recent),
            gain=sum(gains) / len(gains) if len(gains) == len(recent) else None,
            acc_at_germination=state.acc_at_germination,
            gain_at_germination=state.gain_at_germination,
            has_twin=self.has_twin,
        )
        return reference_improvement(progress=progress, total_seed_effect=self.total_effect, has_twin=self.has_twin)

    def report(self, *, round_index: int, epoch: int, max_epochs: int) -> EnvReport:
        """Return what the env shows at decision time."""
        recent = self.readings[-SHOWN_HISTORY:]
        return EnvReport(
            env_id=self.env_id,
            round_index=round_index,
            epoch=epoch,
            max_epochs=max_epochs,
            val_loss=self.reading.val_loss,
            val_acc=self.reading.val_acc,
            recent_losses=tuple(reading.val_loss for reading in recent),
            recent_accuracies=tuple(reading.val_acc for reading in recent),
            seeds=self.growth.reports(),
            previous_succeeded=self.previous_succeeded,
            previous_op=self.previous_op,
            reference_improvement={state.slot_id: self.steady_improvement_of(state) for state in self.growth.states()},
            plateau_epochs=self.tracker.plateau_epochs,
            is_flat=self.tracker.is_flat,
            is_stabilized=self.tracker.is_stabilized,
            planting=self.planting,
        )
