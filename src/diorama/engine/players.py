"""Players of a batch: bots, policies and people behind one protocol; contenders send them."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.bots import Bot, RememberingBot
from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32, U8
from diorama.contracts.world import World


def rows_to_open(buffers: Buffers, running: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows whose players must open an episode or forget; `running` has one entry per copy.

    Rows of copies that have ended are left out: an ended copy opens as a whole.
    """
    agents = len(buffers.alive) // len(running)
    opening: NDArray[np.bool_] = (buffers.episode_start & buffers.alive) != 0
    return opening & np.repeat(running, agents)


class BatchPlayer(Protocol):
    """Plays all rows of a batch at once; memory, where there is any, is kept per row."""

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Open an episode on each of these rows; `seeds` are their episode seeds."""

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Choose for every row; the result is rows by heads, and what it says for retired rows is ignored."""

    def retire(self, rows: Sequence[int]) -> None:
        """Take note that these rows need no more decisions until they are reset."""


@runtime_checkable
class RememberingPlayer(BatchPlayer, Protocol):
    """A player that can be put back to where it was."""

    def remember(self) -> object:
        """Return a copy of all that it goes by besides what it sees."""

    def recall(self, memory: object) -> None:
        """Go on from what it, or another of its kind, remembered; the memory may be recalled again."""


ExtraSource = Callable[[str], NDArray[np.generic]]


@runtime_checkable
class SeesExtras(Protocol):
    """A player that looks at arrays a world adds, such as masks that depend on another head's choice."""

    def see(self, extra: ExtraSource) -> None:
        """Take the arrays of the rows it plays from here, every time it acts."""


def let_see(player: BatchPlayer, extra: ExtraSource) -> None:
    """Show a player the arrays that its world adds, if it looks at any."""
    if isinstance(player, SeesExtras):
        player.see(extra)


class BotPlayer:
    """One scripted bot per row."""

    def __init__(self, make_bot: Callable[[], Bot], spec: WorldSpec, rows: int) -> None:
        """Make the bots; none of them plays before `reset`."""
        self._bots = [make_bot() for _ in range(rows)]
        self._playing: set[int] = set()
        self._actions: I32 = np.tile(np.array(spec.noop, np.int32), (rows, 1))

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Open an episode on each of these rows."""
        for row, seed in zip(rows, seeds, strict=True):
            self._bots[row].reset(seed)
            self._playing.add(row)

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        """Ask every bot that is still playing; the array is reused by the next call."""
        for row in sorted(self._playing):
            self._actions[row] = self._bots[row].act(obs[row], obs_u8[row], masks[row])
        return self._actions

    def retire(self, rows: Sequence[int]) -> None:
        """Let the bots of these rows rest."""
        self._playing.difference_update(rows)

    def remember(self) -> object:
        """Return what every bot remembers, and who plays."""
        return _BotMemories(
            minds=[deepcopy(bot.memory if isinstance(bot, RememberingBot) else bot) for bot in self._bots],
            playing=frozenset(self._playing),
        )

    def recall(self, memory: object) -> None:
        """Give every bot its memory back."""
        assert isinstance(memory, _BotMemories), "a memory of bots"
        self._playing = set(memory.playing)
        for row, (bot, mind) in enumerate(zip(self._bots, memory.minds, strict=True)):
            if isinstance(bot, RememberingBot):
                bot.memory = deepcopy(mind)
            else:
                self._bots[row] = deepcopy(mind)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BotMemories:
    """Of every bot its memory, or the bot itself where it does not say what it goes by."""

    minds: list[Any]
    playing: frozenset[int]


class ContenderKind(StrEnum):
    """What a contender is."""

    BOT = "bot"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Someone to judge; `start(spec, rows)` makes a fresh player for a batch of that many rows."""

    name: str
    kind: ContenderKind
    start: Callable[[WorldSpec, int], BatchPlayer]


def bot_contender(world: World[WorldConfig], name: str) -> Contender:
    """Return a scripted baseline of the world as a contender.

    Raises:
        UnknownName: The world has no such bot.
    """
    if name not in world.bots:
        raise UnknownName.among(f"bot of {world.id!r}", name, world.bots)
    make_bot = world.bots[name]
    return Contender(name=name, kind=ContenderKind.BOT, start=lambda spec, rows: BotPlayer(make_bot, spec, rows))
