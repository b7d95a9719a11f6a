"""Scripted baselines for whole batches: in compiled code where the world has it, one Python bot per row elsewhere."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.bots import BatchedBot, Bot
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import SnapshotError, TierUnavailable, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonValue
from diorama.contracts.world import World
from diorama.engine.bot_memories import export_memory, load_memory
from diorama.engine.players import BotPlayer

_END: Final = 0  # pads the texts of memories; JSON has no such byte


class BotRows(BotPlayer):
    """One Python bot per row; implements `contracts.bots.BatchedBot` for every bot of every world."""

    def __init__(self, make_bot: Callable[[], Bot], spec: WorldSpec, rows: int) -> None:
        """Make the bots; none of them plays before `reset`."""
        super().__init__(make_bot, spec, rows)
        self._rows = rows

    def memories(self) -> NDArray[np.integer[Any]]:
        """Return a text of what every bot remembers, rows by bytes; nothing of bots that do not play yet."""
        texts = [
            msgspec.json.encode(export_memory(bot)) if row in self._playing else b""
            for row, bot in enumerate(self._bots)
        ]
        memories = np.full((self._rows, max(map(len, texts), default=0)), _END, np.uint8)
        for row, text in enumerate(texts):
            memories[row, : len(text)] = np.frombuffer(text, np.uint8)
        return memories

    def load_memories(self, memories: NDArray[np.integer[Any]]) -> None:
        """Go on from what `memories` returned for as many rows.

        Raises:
            SnapshotError: These are no memories of such a bot.
        """
        if len(memories) != self._rows:
            raise SnapshotError(f"memories of {len(memories)} rows; {self._rows} are needed")
        texts = [bytes(row[row != _END]) for row in memories.astype(np.uint8)]
        self._playing = {row for row, text in enumerate(texts) if text}
        for row in sorted(self._playing):
            load_memory(self._bots[row], _decoded(texts[row]))


def open_batched_bot(world: World[WorldConfig], name: str, spec: WorldSpec, rows: int) -> BatchedBot:
    """Return a scripted baseline of the world for so many rows.

    Raises:
        UnknownName: The world has no such bot.
    """
    if name not in world.bots:
        raise UnknownName.among(f"bot of {world.id!r}", name, world.bots, code="unknown_bot")
    if name in world.batched_bots:
        try:
            return world.batched_bots[name](rows)
        except TierUnavailable:
            pass  # the Python bot decides the same, only slower
    return BotRows(world.bots[name], spec, rows)


def _decoded(text: bytes) -> JsonValue:
    try:
        memory: JsonValue = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise SnapshotError(f"this is no memory of a bot: {error}") from None
    return memory
