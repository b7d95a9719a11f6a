"""What a ppo stage comes to, and the flags it raises against the stage before."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.values import JsonObject

LOSS_SHIFT: Final = 0.10
LEAST_EVENTS: Final = 0.85
LOSS: Final = "loss_total"
# Where conflicts over queues dwindle, citizens have stopped going where others go.
QUEUE: Final = "queue_conflict_events"
INTENSITY: Final = "queue_conflict_intensity_sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFigures:
    """Means over the cycles of a stage.

    Attributes:
        loss_total: PPO's loss.
        queue_conflict_events: Conflicts per cycle; None in a world without queues.
        queue_conflict_intensity_sum: How strong they were, per cycle.
        key_figures: The world's headline metrics, and the mean reward of a decision as `reward_mean`.
    """

    loss_total: float
    queue_conflict_events: float | None
    queue_conflict_intensity_sum: float | None
    key_figures: Mapping[str, float]

    def to_json(self) -> JsonObject:
        """As it is stored."""
        return {
            LOSS: self.loss_total,
            QUEUE: self.queue_conflict_events,
            INTENSITY: self.queue_conflict_intensity_sum,
            "key_figures": dict(self.key_figures),
        }


@dataclass(slots=True)
class StageTally:
    """Adds up a stage, cycle by cycle and step by step."""

    cycles: int = 0
    steps: int = 0
    loss: float = 0.0
    events: dict[str, float] = field(default_factory=dict)
    key_sums: dict[str, float] = field(default_factory=dict)

    def note_step(self, key_figures: Mapping[str, float]) -> None:
        """Take in the key figures of a vector step."""
        self.steps += 1
        for name, value in key_figures.items():
            self.key_sums[name] = self.key_sums.get(name, 0.0) + value

    def note_cycle(self, loss_total: float, extras: Mapping[str, float]) -> None:
        """Take in an update and what the world told with it."""
        self.cycles += 1
        self.loss += loss_total
        for name in (QUEUE, INTENSITY):
            if name in extras:
                self.events[name] = self.events.get(name, 0.0) + extras[name]

    @property
    def figures(self) -> StageFigures:
        """What the stage comes to so far."""
        cycles = max(1, self.cycles)
        events = {name: total / cycles for name, total in self.events.items()}
        return StageFigures(
            loss_total=self.loss / cycles,
            queue_conflict_events=events.get(QUEUE),
            queue_conflict_intensity_sum=events.get(INTENSITY),
            key_figures={name: total / max(1, self.steps) for name, total in self.key_sums.items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What is wrong with a stage; `dropped` names the key figures that fell too far."""

    loss: bool = False
    queue: bool = False
    intensity: bool = False
    dropped: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there is anything."""
        return self.loss or self.queue or self.intensity or bool(self.dropped)

    @property
    def names(self) -> list[str]:
        """In words."""
        raised = [name for name in ("loss", "queue", "intensity") if getattr(self, name)]
        return raised + list(self.dropped)


def flags_of(now: StageFigures, before: StageFigures | None, freeze_drop: float) -> Flags:
    """Hold a stage against the one before; nothing is wrong with the first."""
    if before is None:
        return Flags()
    return Flags(
        loss=abs(now.loss_total - before.loss_total) > LOSS_SHIFT * abs(before.loss_total),
        queue=_dwindled(now.queue_conflict_events, before.queue_conflict_events),
        intensity=_dwindled(now.queue_conflict_intensity_sum, before.queue_conflict_intensity_sum),
        dropped=tuple(
            name
            for name, value in now.key_figures.items()
            if before.key_figures[name] - value > freeze_drop * abs(before.key_figures[name])
        ),
    )


def _dwindled(now: float | None, before: float | None) -> bool:
    return now is not None and before is not None and now < LEAST_EVENTS * before
