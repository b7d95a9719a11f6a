"""KPIs of a world that names none of its own: rewards and episodes of a window."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from diorama.contracts.values import JsonObject, JsonValue

NumberT = TypeVar("NumberT", int, float)


@dataclass(slots=True)
class Window:
    """Sums of the running window."""

    steps: int = 0
    reward: float = 0.0
    episodes: int = 0
    metrics: dict[str, float] = field(default_factory=dict)

    def note_step(self, reward: float) -> None:
        """Count a step that paid this to all seats together."""
        self.steps += 1
        self.reward += reward

    def note_episode(self, metrics: Mapping[str, float]) -> None:
        """Count an episode that ended with these metrics."""
        self.episodes += 1
        for key, value in metrics.items():
            self.metrics[key] = self.metrics.get(key, 0.0) + value

    def kpis(self) -> dict[str, float]:
        """Reward per step, episodes that ended, and the mean of their final metrics."""
        finals = {key: total / self.episodes for key, total in self.metrics.items()}
        return {
            "reward_per_step": self.reward / self.steps if self.steps else 0.0,
            "episodes": float(self.episodes),
            **finals,
        }

    def export(self) -> JsonObject:
        """Everything, as JSON values."""
        return {"steps": self.steps, "reward": self.reward, "episodes": self.episodes, "metrics": dict(self.metrics)}


def load_window(state: JsonValue) -> Window:
    """Return the window that was exported.

    Raises:
        ValueError: It is no such state.
    """
    if not isinstance(state, Mapping) or state.keys() != {"steps", "reward", "episodes", "metrics"}:
        raise ValueError(f"{state!r} is no window")
    metrics = state["metrics"]
    if not isinstance(metrics, Mapping):
        raise ValueError(f"{metrics!r} are no metrics")
    return Window(
        steps=_number(int, state["steps"]),
        reward=_number(float, state["reward"]),
        episodes=_number(int, state["episodes"]),
        metrics={key: _number(float, value) for key, value in metrics.items()},
    )


def _number(kind: type[NumberT], value: JsonValue) -> NumberT:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    return kind(value)
