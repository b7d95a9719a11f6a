"""Scripts that decide: the world's own controller, and bots."""

from collections.abc import Callable
from typing import Final

import numpy as np

from diorama.contracts.bots import Bot
from diorama.contracts.live.world import LiveWorld, Selection
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, JsonValue
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.rng import draw

SOURCE: Final = "scripted"
_STREAM: Final = 0x6C697665  # of the seeds that bots are given


class AdvisedDecider:
    """Does what the world's own controller would; remembers nothing."""

    is_learned: Final = False

    def __init__(self, pointer: PolicyPointer) -> None:
        """Decide under a name."""
        self.pointer = pointer

    def decide(self, world: LiveWorld) -> Selection:
        """Ask the world."""
        return Selection(actions=world.advise(), source=SOURCE)

    def forget(self) -> None:
        """Do nothing."""

    def export(self) -> JsonValue:
        """Nothing."""
        return None

    def load(self, state: JsonValue) -> None:
        """Do nothing."""


class BotDecider:
    """One scripted bot per seat.

    A bot keeps its memory to itself: no snapshot holds it, and after one was loaded the bots begin anew.
    """

    is_learned: Final = False

    def __init__(self, pointer: PolicyPointer, make_bot: Callable[[], Bot], spec: WorldSpec) -> None:
        """Make the bots."""
        self.pointer = pointer
        self._bots = [make_bot() for _ in range(spec.agents)]
        self._noop = np.array(spec.noop, np.int32)
        self._is_fresh = [True] * spec.agents

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
        return Selection(actions=actions, source=SOURCE)

    def forget(self) -> None:
        """Begin anew."""
        self._is_fresh = [True] * len(self._bots)

    def export(self) -> JsonValue:
        """Nothing: the memory of bots is their own."""
        return None

    def load(self, state: JsonValue) -> None:
        """Begin anew."""
        self.forget()
