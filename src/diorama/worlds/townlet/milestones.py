"""Curriculum milestones: named overlays of a configuration, and when the next one may be taken on."""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from pydantic import Field

from diorama.contracts.errors import UnknownName
from diorama.contracts.sections import Section
from diorama.contracts.spec import Better
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.contract import METRICS
from diorama.worlds.townlet.data.reading import parse_yaml

WINDOWS_TO_ADVANCE: Final = 2
_FILE: Final = "milestones.yaml"
_IS_BEST_LOW: Final = {metric.key: metric.better is Better.LOWER for metric in METRICS}


class Milestone(Section):
    """One step of the curriculum.

    Attributes:
        summary: One sentence.
        bands: Metrics of the town and the bound each must keep, from below or above as the metric asks.
        overlay: Laid over a configuration.
    """

    summary: str
    bands: dict[str, float] = Field(min_length=1)
    overlay: dict[str, Any]


class _Curriculum(Section):
    milestones: dict[str, Milestone]


def _read() -> dict[str, Milestone]:
    text = (resources.files("diorama.worlds.townlet.data") / _FILE).read_bytes()
    return validated(_Curriculum, {"milestones": parse_yaml(text, _FILE)}, _FILE).milestones


MILESTONES: Final[Mapping[str, Milestone]] = _read()
MILESTONE_NAMES: Final = tuple(MILESTONES)
OVERLAYS: Final[Mapping[str, Mapping[str, object]]] = {name: item.overlay for name, item in MILESTONES.items()}


def milestone(name: str) -> Milestone:
    """Return a milestone.

    Raises:
        UnknownName: There is none of that name.
    """
    if name not in MILESTONES:
        raise UnknownName.among("milestone", name, MILESTONE_NAMES)
    return MILESTONES[name]


def milestone_progress(name: str, until: str) -> float:
    """Return how far a milestone lies on the way from the first to another: 0 at the first, 1 from the other on."""
    last = MILESTONE_NAMES.index(until)
    return 1.0 if last == 0 else min(1.0, MILESTONE_NAMES.index(name) / last)


def may_advance(name: str, windows: Sequence[Mapping[str, float]]) -> bool:
    """Whether the newest windows of metrics keep every band of a milestone.

    Args:
        name: Of the milestone.
        windows: Metrics of whole windows, oldest first.
    """
    newest = windows[-WINDOWS_TO_ADVANCE:]
    bands = milestone(name).bands
    return len(newest) == WINDOWS_TO_ADVANCE and all(
        row[key] <= bound if _IS_BEST_LOW[key] else row[key] >= bound for row in newest for key, bound in bands.items()
    )
