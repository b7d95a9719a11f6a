"""Window metrics the slow way: one step of one copy after another, in plain Python."""

import statistics
from dataclasses import dataclass, field

import numpy as np

from diorama.contracts.spec import (
    ActionHead,
    Aggregate,
    EventKind,
    Metric,
    ObservationField,
    WorldSpec,
)
from diorama.contracts.training_reports import StepView


def window_spec(agents: int = 1) -> WorldSpec:
    """A world that has one of everything windows care about."""
    return WorldSpec(
        world="toy",
        interface_version="toy-v1",
        agents=agents,
        observation=(ObservationField(name="nothing", start=0, meaning="nothing"),),
        heads=(ActionHead(name="action", options=("wait", "go"), noop=0),),
        has_mask=False,
        metrics=(
            Metric(key="profit", label="Profit"),
            Metric(key="alive", label="Alive", aggregate=Aggregate.EPISODE_FINAL_RATE),
            Metric(key="speed", label="Speed", aggregate=Aggregate.STEP_MEAN),
        ),
        events=tuple(EventKind(name=name) for name in ("invalid_action", "lost", "won", "late")),
        tick_seconds=1.0,
        snapshot_magic=b"TOYW",
        snapshot_version=1,
        headline=("profit",),
        aliases=(("profit_mean_alias", "profit"),),
        end_events=(("lost", "defeat"), ("won", "victory"), ("late", "time_up")),
    )


@dataclass
class Step:
    """One step of one copy; lists are over seats."""

    rewards: list[float]
    terminated: list[bool]
    truncated: list[bool]
    alive: list[bool]
    metrics: list[list[float]]
    dt: int
    events: int


def vector_step(steps: list[Step], first_copy: int = 0) -> StepView:
    """The same steps as the arrays a trainer shows."""
    agents = len(steps[0].rewards)
    return StepView(
        first_copy=first_copy,
        copies=len(steps),
        agents=agents,
        rewards=np.array([value for step in steps for value in step.rewards], np.float32),
        terminated=np.array([value for step in steps for value in step.terminated], np.uint8),
        truncated=np.array([value for step in steps for value in step.truncated], np.uint8),
        alive_before=np.array([value for step in steps for value in step.alive], np.uint8),
        obs=lambda: np.zeros((agents * len(steps), 0), np.float32),
        metrics=np.array([values for step in steps for values in step.metrics], np.float32),
        dt=np.array([step.dt for step in steps], np.uint16),
        events=np.array([step.events for step in steps], np.uint64),
    )


@dataclass
class NaiveWindows:
    """Counts step by step; `rows` collects what the spec asks of each window, apart from names and times."""

    copies: int
    agents: int
    size: int
    rows: list[dict[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._returns = [[0.0] * self.agents for _ in range(self.copies)]
        self._lengths = [[0] * self.agents for _ in range(self.copies)]
        self._env_steps = self._ticks = 0
        self._open()

    def _open(self) -> None:
        self._steps: list[Step] = []
        self._reward_sum = self._speed_sum = 0.0
        self._episodes: list[tuple[float, int, list[float], bool, str]] = []

    def take(self, copy: int, step: Step) -> None:
        self._steps.append(step)
        self._env_steps += 1
        self._ticks += step.dt
        for seat in range(self.agents):
            reward = float(np.float32(step.rewards[seat]))
            metrics = [float(np.float32(value)) for value in step.metrics[seat]]
            self._reward_sum += reward
            self._returns[copy][seat] += reward
            self._lengths[copy][seat] += step.alive[seat]
            if step.alive[seat]:
                self._speed_sum += metrics[2]
            if step.terminated[seat] or step.truncated[seat]:
                reason = _reason(step.events, step.terminated[seat])
                self._episodes.append(
                    (self._returns[copy][seat], self._lengths[copy][seat], metrics, step.terminated[seat], reason)
                )
                self._returns[copy][seat], self._lengths[copy][seat] = 0.0, 0
        if len(self._steps) == self.size:
            self.rows.append(self._row())
            self._open()

    def _row(self) -> dict[str, object]:
        returns = [episode[0] for episode in self._episodes]
        reasons = [episode[4] for episode in self._episodes]
        agent_steps = sum(sum(step.alive) for step in self._steps)
        return {
            "window_id": len(self.rows),
            "window_complete": True,
            "env_steps_start": self._env_steps - self.size,
            "env_steps_end": self._env_steps,
            "env_steps_in_window": self.size,
            "env_steps_total": self._env_steps,
            "agent_steps_in_window": agent_steps,
            "ticks_in_window": sum(step.dt for step in self._steps),
            "ticks_total": self._ticks,
            "episodes_completed": len(returns),
            "terminated_episodes": sum(episode[3] for episode in self._episodes),
            "truncated_episodes": sum(not episode[3] for episode in self._episodes),
            "reward_sum": self._reward_sum,
            "reward_mean": self._reward_sum / self.size,
            "return_mean": _or_none(statistics.fmean, returns),
            "return_median": _or_none(statistics.median, returns),
            "return_std": _or_none(statistics.pstdev, returns),
            "episode_length_mean": _or_none(statistics.fmean, [episode[1] for episode in self._episodes]),
            "invalid_action_rate": sum(step.events & 1 for step in self._steps) / self.size,
            "profit_mean": _or_none(statistics.fmean, [episode[2][0] for episode in self._episodes]),
            "alive_mean": _or_none(statistics.fmean, [episode[2][1] >= 0.5 for episode in self._episodes]),
            "speed_mean": self._speed_sum / agent_steps if agent_steps else None,
            "end_reason_counts": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        }


def _reason(events: int, is_terminated: bool) -> str:
    for bit, reason in ((1, "defeat"), (2, "victory"), (3, "time_up")):
        if events >> bit & 1:
            return reason
    return "terminated" if is_terminated else "truncated"


def _or_none(statistic: object, values: list[float] | list[int] | list[bool]) -> float | None:
    assert callable(statistic)
    return float(statistic(values)) if values else None
