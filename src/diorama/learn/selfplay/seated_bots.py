"""`SeatedBots`: scripted baselines that play the seats of opponents."""

from collections.abc import Callable, Mapping, Sequence

import torch

from diorama.contracts.bots import BatchedBot
from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32

MakeBot = Callable[[str, int], BatchedBot]


class SeatedBots:
    """The bots of some copies, each of which knows all rows of these copies and plays those that are given to it."""

    def __init__(self, names: Sequence[str], make: MakeBot, *, copies: int, agents: int) -> None:
        """Make the bots for so many copies; `make` takes a name and the number of rows."""
        self._bots = {name: make(name, copies * agents) for name in names}
        self._agents = agents

    @property
    def names(self) -> tuple[str, ...]:
        """The bots that can be met."""
        return tuple(self._bots)

    def act(
        self,
        groups: Mapping[str, torch.Tensor],
        buffers: Buffers,
        episode_seed: Callable[[int], int],
        actions: I32,
    ) -> None:
        """Write the actions of all rows that bots play.

        Args:
            groups: Row indices by bot.
            buffers: Current observations, masks and episode starts.
            episode_seed: Returns the seed of the episode that a copy is in.
            actions: Rows × heads; the rows of the groups are written.
        """
        for name, group in groups.items():
            bot, rows = self._bots[name], group.numpy()
            opened: list[int] = rows[buffers.episode_start[rows] != 0].tolist()
            if opened:
                bot.reset(opened, [episode_seed(row // self._agents) for row in opened])
            actions[rows] = bot.act(buffers.obs, buffers.obs_u8, buffers.masks)[rows]

    def memories(self, name: str) -> torch.Tensor:
        """Return what a bot remembers of each row, rows × numbers."""
        return torch.from_numpy(self._bots[name].memories())

    def load_memories(self, name: str, memories: torch.Tensor) -> None:
        """Let a bot go on from what `memories` returned for as many rows; zeros may be appended to every row.

        Raises:
            SnapshotError: These are no memories of such a bot.
        """
        self._bots[name].load_memories(memories.numpy())
