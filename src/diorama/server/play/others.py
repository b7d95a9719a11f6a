"""Who plays the seats that nobody plays by hand."""

import numpy as np

from diorama.contracts.records import Decision
from diorama.contracts.values import I32
from diorama.engine.players import RememberingPlayer
from diorama.runs.replays.scene import Scene
from diorama.server.play.decisions import SeatDecisions
from diorama.server.play.setting import Setting


class OtherSeats:
    """Decides for all seats but one; with memory of what has happened, where the player has any."""

    def __init__(self, setting: Setting, seed: int) -> None:
        """Open the episode of a seed."""
        spec = setting.spec
        self._setting = setting
        self._seed = seed
        self._noop: I32 = np.tile(np.array(spec.noop, np.int32), (spec.agents, 1))
        self._player: RememberingPlayer | None = None
        if setting.others is not None:
            player = setting.others.start(spec, spec.agents)
            assert isinstance(player, RememberingPlayer), "bots and policies can be put back"
            player.reset(range(spec.agents), [seed] * spec.agents)
            player.retire([setting.seat])
            self._player = player

    def decide(self, scene: Scene, own: Decision, given: SeatDecisions) -> I32:
        """Return the decisions of all seats, seats by heads; `own` is that of the seat played by hand.

        What is `given` for another seat takes the place of what its player would do, who looks on meanwhile.
        """
        chosen = self._look(scene)
        rows = self._noop.copy() if chosen is None else chosen.astype(np.int32, copy=True)
        for seat, decision in given.items():
            rows[seat] = decision
        rows[self._setting.seat] = own
        return rows

    def remember(self) -> object:
        """Return what the players remember."""
        return None if self._player is None else self._player.remember()

    def recall(self, memory: object) -> None:
        """Let the players go on from what they remembered before."""
        if self._player is not None:
            self._player.recall(memory)

    def watch(self, scene: Scene) -> None:
        """See a decision being taken that is already known."""
        self._look(scene)

    def _look(self, scene: Scene) -> I32 | None:
        if self._player is None:
            return None
        # Whoever has just taken a seat remembers nothing of who had it before.
        if arrived := [seat for seat in scene.arrivals if seat != self._setting.seat]:
            self._player.reset(arrived, [self._seed] * len(arrived))
        return self._player.act(*scene.view)
