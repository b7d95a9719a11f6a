"""A callback that records reports."""

from dataclasses import dataclass, field

from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.learn.callbacks import Callback


@dataclass
class RecordingCallback(Callback):
    """Records the report of every update and the mean reward of its decisions."""

    reports: list[UpdateReport] = field(default_factory=list)
    mean_rewards: list[float] = field(default_factory=list)
    steps: int = 0
    _sum: float = 0.0
    _count: int = 0

    def on_step(self, step: StepView) -> None:
        self.steps += 1
        self._sum += float(step.rewards[step.alive_before != 0].sum())
        self._count += int(step.alive_before.sum())

    def on_update(self, report: UpdateReport) -> None:
        self.reports.append(report)
        self.mean_rewards.append(self._sum / self._count)
        self._sum, self._count = 0.0, 0
