"""What a run says of itself, as text and as rows of tables."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from diorama.cli.dashboard.tables import Row, figure, words
from diorama.cli.dashboard.texts import bar, curve, duration, number, plain
from diorama.runs.metadata import RunMetadata, RunStatus

Windows = Sequence[dict[str, Any]]

_WINDOWS_SHOWN: Final = 200
_RECENT: Final = 5
_CURVES: Final = (
    ("return_mean", "Return"),
    ("steps_per_sec", "Steps per second"),
    ("episode_length_mean", "Episode length"),
    ("loss_policy", "Policy loss"),
    ("loss_value", "Value loss"),
    ("entropy", "Entropy"),
    ("approx_kl", "KL divergence"),
    ("explained_variance", "Explained variance"),
)


def standing(metadata: RunMetadata, windows: Windows, silent_at: datetime | None) -> str:
    """Where the run stands.

    Args:
        metadata: What it says.
        windows: All that are closed.
        silent_at: Now, where it says that it runs and has not been heard of for long.
    """
    target = max(1, metadata.target_env_steps)
    share = metadata.env_steps_total / target
    done = f"{bar(share, 20)} {share:.0%} of {number(metadata.target_env_steps)} steps"
    counts = " · ".join(
        f"{number(count)} {name}"
        for name, count in (
            ("episodes", metadata.episodes_total),
            ("updates", metadata.policy_updates),
            ("checkpoints", metadata.checkpoints_written),
            ("replays", metadata.replays_written),
        )
    )
    where = f"{metadata.tier_selected} tier on {metadata.device}, {number(metadata.copies)} copies"
    return f"{metadata.world} · {_status(metadata, windows, silent_at)}\n{done} · {counts}\n{where}"


def curve_lines(windows: Windows) -> list[str]:
    """One line for each curve that the run has: its last value, its course and its bounds."""
    known = [(title, _values(windows, key)) for key, title in _CURVES]
    return [
        f"{title:<20}{number(values[-1]):>11}  {curve(values, 48):<48}  {number(min(values))} to {number(max(values))}"
        for title, values in known
        if values
    ]


def window_rows(windows: Windows) -> list[Row]:
    """The last windows, newest first."""
    keys = ("window_id", "env_steps_total", "episodes_completed", "return_mean", "steps_per_sec")
    return [tuple(figure(number(row.get(key))) for key in keys) for row in reversed(windows[-_WINDOWS_SHOWN:])]


def metric_rows(metadata: RunMetadata, windows: Windows) -> list[Row]:
    """The metrics of the world that the run has."""
    known = [(key, _values(windows, f"{key}_mean")) for key in metadata.info_metric_keys]
    return [
        (words(plain(key)), figure(number(values[-1])), words(curve(values, 20))) for key, values in known if values
    ]


def _status(metadata: RunMetadata, windows: Windows, silent_at: datetime | None) -> str:
    if silent_at is not None:
        silence = duration((silent_at - datetime.fromisoformat(metadata.updated_at)).total_seconds())
        return f"says it is running, but has not been heard of for {silence}; it may have been killed"
    if metadata.status is RunStatus.FAILED and metadata.error is not None:
        return f"failed: {' '.join(metadata.error.split())}"
    rates = _values(windows, "steps_per_sec")[-_RECENT:]
    left = metadata.target_env_steps - metadata.env_steps_total
    if metadata.status is RunStatus.RUNNING and rates and left > 0:
        return f"running, about {duration(left * len(rates) / max(1e-9, sum(rates)))} left"
    return metadata.status.value


def _values(windows: Windows, key: str) -> list[float]:
    return [float(row[key]) for row in windows if isinstance(row.get(key), int | float)]
