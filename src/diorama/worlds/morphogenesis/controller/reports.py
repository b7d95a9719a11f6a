"""What an env shows of itself at decision time, to the observation and to whoever decides by rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.seeds import SeedStateReport
from diorama.worlds.morphogenesis.controller.planting import PlantingMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvReport:
    """One env after an epoch and before the decision that follows it.

    Attributes:
        env_id: Index of the env in its run.
        round_index: Round the episode belongs to.
        epoch: Epoch just finished, counted from 1.
        max_epochs: Length of the episode.
        val_loss: Loss of this epoch in nats; not finite where the host has diverged.
        val_acc: Accuracy of this epoch in percent.
        recent_losses: Losses up to this epoch, oldest first, this one included; the last five are shown.
        recent_accuracies: Accuracies, likewise.
        seeds: Reports of the slots that are not empty, by slot id.
        previous_succeeded: Whether the last action did what it said; true before the first.
        previous_op: The op that was executed last; WAIT before the first.
        reference_improvement: R of every seed in percentage points, by slot id, as the mean of the last three epochs;
            None where it is not known.
        plateau_epochs: Epochs in a row with next to no gain.
        is_flat: Whether three epochs were hardly better than the three before.
        is_stabilized: Whether the host has settled in this episode.
        planting: What the episode remembers of its plantings.
    """

    env_id: int
    round_index: int
    epoch: int
    max_epochs: int
    val_loss: float
    val_acc: float
    recent_losses: tuple[float, ...]
    recent_accuracies: tuple[float, ...]
    seeds: Mapping[str, SeedStateReport] = field(default_factory=dict)
    previous_succeeded: bool = True
    previous_op: LifecycleOp = LifecycleOp.WAIT
    reference_improvement: Mapping[str, float | None] = field(default_factory=dict)
    plateau_epochs: int = 0
    is_flat: bool = False
    is_stabilized: bool = False
    planting: PlantingMemory = field(default_factory=PlantingMemory)
