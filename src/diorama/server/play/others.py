"""Who plays the seats that nobody plays by hand."""

import numpy as np

from diorama.contracts.records import Decision
from diorama.contracts.values import I32
from diorama.learn.evaluation.players import BatchPlayer
from diorama.runs.replays.scene import Scene
from diorama.server.play.decisions import DecisionLog, SeatDecisions
from diorama.server.play.setting import Setting


class OtherSeats:
    """Decides for all seats but one; with memory of what has happened, where the player has any."""

    def __init__(self, setting: Setting, seed: int) -> None:
        """Open the episode of a seed."""
        spec = setting.spec
        self._setting = setting
        self._seed = seed
        self._noop: I32 = np.tile(np.array(spec.noop, np.int32), (spec.agents, 1))
        self._player: BatchPlayer | None = None
        if setting.others is not None:
            self._player = setting.others.start(spec, spec.agents)
            self._player.reset(range(spec.agents), [seed] * spec.agents)
            self._player.retire([setting.seat])

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

    @classmethod
    def having_watched(cls, setting: Setting, seed: int, log: DecisionLog) -> "OtherSeats":
        """Return players who have seen all decisions so far, and remember nothing beyond them."""
        others = cls(setting, seed)
        if others._player is None:
            return others
        scene = Scene(setting.venue, seed)
        try:
            for step in range(len(log)):
                others.watch(scene)
                scene.step(log.rows(step))
        finally:
            scene.close()
        return others
