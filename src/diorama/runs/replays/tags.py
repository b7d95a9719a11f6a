"""Which tags a replay earns."""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import Better, WorldSpec
from diorama.runs.replays.entry import ReplayEntry, short_names

EVERY_WINDOW: Final = "every_window"
BEST_SO_FAR: Final = "best_so_far"
FORK: Final = "operator:fork"
_RETURN: Final = "return"

Milestones = Mapping[str, Sequence[float]]


def earned_tags(
    spec: WorldSpec, milestones: Milestones, entry: ReplayEntry, earlier: Sequence[ReplayEntry]
) -> tuple[str, ...]:
    """Return the tags of a new entry.

    A fork is an operator's: it competes neither for the best return nor for milestones.

    Args:
        spec: Contract of the world.
        milestones: Thresholds by metric; `return` is the return, others are headline names or metric keys.
        entry: The new one.
        earlier: All others of the run.
    """
    if entry.forked_from is not None:
        return (FORK,)
    is_best = all(entry.return_total > other.return_total for other in earlier if other.forked_from is None)
    reached = [
        f"milestone:{name}:{threshold_words(threshold)}"
        for name, thresholds in milestones.items()
        for threshold in thresholds
        if _is_reached(spec, entry, name, threshold)
    ]
    return (EVERY_WINDOW, *((BEST_SO_FAR,) if is_best else ()), *reached)


def check_milestones(spec: WorldSpec, milestones: Milestones) -> None:
    """Refuse thresholds of a metric the world does not have.

    Raises:
        UnknownName: With the names that would be right.
    """
    known = (_RETURN, *short_names(spec).values(), *spec.metric_keys)
    for name in milestones:
        if name not in known:
            raise UnknownName.among("milestone metric", name, dict.fromkeys(known))


def threshold_words(threshold: float) -> str:
    """Write a threshold without trailing zeros."""
    return str(int(threshold)) if float(threshold).is_integer() else repr(float(threshold))


def _is_reached(spec: WorldSpec, entry: ReplayEntry, name: str, threshold: float) -> bool:
    if name == _RETURN:
        return entry.return_total >= threshold
    key = {short: key for key, short in short_names(spec).items()}.get(name, name)
    value = entry.metrics[key]
    metric = spec.metrics[spec.metric_keys.index(key)]
    return value <= threshold if metric.better is Better.LOWER else value >= threshold
