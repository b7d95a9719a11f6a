"""Which row of an engine is which: the envs first, then one control twin for each group of them."""

from dataclasses import dataclass
from typing import Final, Self

ENVS_PER_GROUP: Final = 8
MAX_GROUPS: Final = 8


def default_groups(envs: int) -> int:
    """Return how many groups share their first weights, where the run does not say."""
    return min(max(envs // ENVS_PER_GROUP, 1), MAX_GROUPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLayout:
    """Rows of one engine.

    Attributes:
        env_ids: The env of each of the first rows, ascending. They are 0, 1, … unless an episode is run again alone.
        groups: The group of each of these envs; its envs start from the same weights.
        twins: The groups that have a control twin, ascending; their rows follow those of the envs.
    """

    env_ids: tuple[int, ...]
    groups: tuple[int, ...]
    twins: tuple[int, ...]

    @classmethod
    def of(cls, env_ids: tuple[int, ...], *, all_envs: int, groups: int, has_twins: bool) -> Self:
        """Lay out some envs of a run of `all_envs`, which are split into contiguous groups."""
        group_of = tuple(env_id * groups // all_envs for env_id in env_ids)
        return cls(env_ids=env_ids, groups=group_of, twins=tuple(sorted(set(group_of))) if has_twins else ())

    @property
    def envs(self) -> int:
        """Number of envs."""
        return len(self.env_ids)

    @property
    def rows(self) -> int:
        """Number of envs and twins."""
        return self.envs + len(self.twins)

    def group_of(self, row: int) -> int:
        """Return the group of an env or a twin."""
        return self.groups[row] if row < self.envs else self.twins[row - self.envs]

    def twin_row(self, env_row: int) -> int | None:
        """Return the row of an env's control twin; None in a run without twins."""
        return self.envs + self.twins.index(self.groups[env_row]) if self.twins else None

    def stream_id(self, row: int) -> int:
        """Return the number that stands for a row in the streams of single envs; twins come after all envs."""
        return self.env_ids[row] if row < self.envs else -1 - self.group_of(row)
