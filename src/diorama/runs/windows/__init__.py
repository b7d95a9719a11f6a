"""Window metrics: what happened in every `window_env_steps` consecutive env steps of a run."""

from diorama.runs.windows.aggregator import WindowAggregator
from diorama.runs.windows.row import WindowRow

__all__ = ["WindowAggregator", "WindowRow"]
