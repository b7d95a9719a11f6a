"""`StagedRollout`: a rollout of copies on the host, which show themselves to the device on one stage."""

from typing import Final

import torch

from diorama.learn.device.rollout import DeviceRollout
from diorama.learn.rollout import OUTCOMES, Rollout, RolloutShape

STAGED: Final = ("obs", "obs_u8", "masks", "episode_start")  # what a decision is taken from
_WRITTEN_OVER: Final = frozenset({*STAGED, "final_obs", "final_obs_u8"})


class StagedRollout(DeviceRollout):
    """A rollout in which the core writes what is seen into the same rows at every step.

    A step writes over them only when its actions have come, and those come after what was seen has reached the device.
    So one place is enough, and it stays in the caches of the processors.
    """

    def __init__(self, shape: RolloutShape, device: torch.device, beside: "StagedRollout | None" = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares the stage with it."""
        self._beside = beside
        super().__init__(shape, device, beside)

    @property
    def openings(self) -> torch.Tensor:
        """Which rows open an episode with their next decision, on the host; one for each row."""
        return self.host["episode_start"]

    def turn_over(self, into: Rollout | None = None) -> None:
        """Make the end of this rollout the beginning of the next; what is seen lies on the stage already."""
        (into or self).host["alive"][0] = self.host["alive"][-1]

    def share_outcomes(self) -> None:
        """Bring rewards and flags of every decision to the device, and who took it."""
        outcomes = [(self._outcomes[name], self.host[name][1:]) for name in OUTCOMES]
        self._copy_aside([*outcomes, (self.seen["alive"], self.host["alive"])])

    def _written_over(self) -> frozenset[str]:
        return _WRITTEN_OVER

    def _allocate(self) -> None:
        shape, steps, beside = self.shape, self.shape.steps, self._beside
        self.host = self._host_arrays()
        if beside is None:
            self.host_actions = self._host_array((shape.rows, len(shape.spec.heads)), torch.int32)
            self.host_extras = {
                name: self._host_array((shape.rows, extra.width), extra.dtype) for name, extra in shape.extras.items()
            }
        else:
            self.host |= {name: beside.host[name] for name in STAGED}
            self.host_actions, self.host_extras = beside.host_actions, beside.host_extras
        self.seen = {name: self._every_step(self.host[name], steps + 1) for name in STAGED}
        self.seen["alive"] = torch.zeros_like(self.host["alive"], device=self.device)
        self._outcomes = {name: torch.zeros_like(self.host[name][1:], device=self.device) for name in OUTCOMES}
        self.extras = {name: self._every_step(array, steps + 1) for name, array in self.host_extras.items()}
        self.actions = self._every_step(self.host_actions, steps)

    def _every_step(self, stage: torch.Tensor, steps: int) -> torch.Tensor:
        return torch.zeros((steps, *stage.shape), dtype=stage.dtype, device=self.device)
