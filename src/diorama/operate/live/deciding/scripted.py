"""Scripts that decide: the world's own controller, and bots."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from diorama.contracts.bots import Bot, RememberingBot
from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.world import LiveWorld, PolicyIdentity, Selection
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, JsonValue
from diorama.engine.bot_memories import export_memory, load_memory
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.rng import draw

_STREAM: Final = 0x6C697665  # of the seeds that bots are given


class ExpertDecider:
    """Does what the world's own controller would; remembers nothing."""

    is_learned: Final = False
    identity: Final = PolicyIdentity(source="scripted")
    remembers: Final = False

    def __init__(self, pointer: PolicyPointer) -> None:
        """Decide under a name."""
        self.pointer = pointer

    def decide(self, world: LiveWorld) -> Selection:
        """Ask the world."""
        return Selection(actions=world.expert_actions(), policy=self.identity)

    def forget(self) -> None:
        """Do nothing."""

    def export(self) -> JsonValue:
        """Nothing."""
        return None

    def load(self, state: JsonValue) -> None:
        """Do nothing."""


class BotDecider:
    """One scripted bot per seat; what the bots remember goes with a snapshot."""

    is_learned: Final = False
    identity: Final = PolicyIdentity(source="scripted")

    def __init__(self, pointer: PolicyPointer, make_bot: Callable[[], Bot], spec: WorldSpec) -> None:
        """Make the bots."""
        self.pointer = pointer
        self._bots = [make_bot() for _ in range(spec.agents)]
        self._noop = np.array(spec.noop, np.int32)
        self._is_fresh = [True] * spec.agents

    @property
    def remembers(self) -> bool:
        """Whether bots of this kind remember anything."""
        return isinstance(self._bots[0], RememberingBot)

    def decide(self, world: LiveWorld) -> Selection:
        """Ask every bot whose seat takes a decision."""
        view = world.view()
        actions: I32 = np.tile(self._noop, (len(self._bots), 1))
        for seat in np.flatnonzero(view.alive).tolist():
            bot = self._bots[seat]
            if view.starts[seat] or self._is_fresh[seat]:
                self._is_fresh[seat] = False
                bot.reset(draw(world.identity.seed, _STREAM, world.clock.tick, seat, 0, 0))
            actions[seat] = bot.act(view.obs[seat], view.obs_u8[seat], view.masks[seat])
        return Selection(actions=actions, policy=self.identity)

    def forget(self) -> None:
        """Begin anew."""
        self._is_fresh = [True] * len(self._bots)

    def export(self) -> JsonValue:
        """What the bots remember seat by seat, and whose memories they are; null for a bot that begins anew."""
        memories: list[JsonValue] = [
            {"memory": export_memory(bot)} if self.remembers and not is_fresh else None
            for bot, is_fresh in zip(self._bots, self._is_fresh, strict=True)
        ]
        return {"policy_hash": self.pointer.policy_hash, "seats": memories}

    def load(self, state: JsonValue) -> None:
        """Remember what bots of the same kind did; begin anew if it were others.

        Raises:
            SnapshotError: It is nothing that such bots could remember.
        """
        self.forget()
        if not isinstance(state, Mapping) or state.get("policy_hash") != self.pointer.policy_hash:
            return
        seats = state.get("seats")
        if not isinstance(seats, list) or len(seats) != len(self._bots):
            raise SnapshotError(f"the memories are not those of {len(self._bots)} bots")
        for seat, (bot, kept) in enumerate(zip(self._bots, seats, strict=True)):
            if isinstance(kept, Mapping):
                load_memory(bot, kept.get("memory"))
                self._is_fresh[seat] = False
