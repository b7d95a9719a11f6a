"""What must hold between the parts of a package and against the content, in the order it is reported."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.resolve.checks.equipment import check_mounts, check_sensors
from diorama.worlds.tidebreak.resolve.checks.hulls import check_hulls, check_starts
from diorama.worlds.tidebreak.resolve.checks.objectives import check_objectives
from diorama.worlds.tidebreak.resolve.checks.placement import check_overlaps, check_positions
from diorama.worlds.tidebreak.resolve.checks.roster import check_content, check_ship_ids, check_teams

Check: TypeAlias = Callable[[Draft, Content], Iterator[Problem]]

CHECKS: Final[tuple[Check, ...]] = (
    check_content,
    check_teams,
    check_ship_ids,
    check_hulls,
    check_sensors,
    check_mounts,
    check_starts,
    check_positions,
    check_overlaps,
    check_objectives,
)

__all__ = ["CHECKS", "Check"]
